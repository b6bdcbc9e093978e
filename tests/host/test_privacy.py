from __future__ import annotations

import logging
from pathlib import Path

import pytest

from redraft.core.config.store import SettingsStore
from redraft.core.llm.client import ModelInfo
from redraft.host.privacy import PrivacyRules, TrustStore

CLOUD = ModelInfo("c", "settings", "c", location="cloud")
EMBEDDED = ModelInfo("e", "embedded", "e", location="embedded")


@pytest.fixture
def settings() -> SettingsStore:
    return SettingsStore()


@pytest.fixture
def rules(settings: SettingsStore) -> PrivacyRules:
    return PrivacyRules(settings)


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("app/.env", "*.env"),
        ("app/.ENV", "*.env"),
        ("server.pem", "*.pem"),
        (".ssh/id_rsa", "id_*"),
        ("deep/down/.kube/config", ".kube/config"),
        ("home/.aws/anything/at/all", ".aws/"),
    ],
)
def test_files_named_like_secrets_are_refused_wherever_they_lie(
    rules: PrivacyRules, tmp_path: Path, name: str, pattern: str
) -> None:
    assert rules.never_send_pattern(tmp_path / name) == pattern


@pytest.mark.parametrize("name", ["main.py", "environment.py", "id_rsa.pub", "config", "kube/config", "identity.py"])
def test_other_files_may_be_sent(rules: PrivacyRules, tmp_path: Path, name: str) -> None:
    assert rules.refusal(tmp_path / name, model=CLOUD) == ""


def test_a_link_to_a_secret_is_a_secret(rules: PrivacyRules, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("KEY=1")
    link = tmp_path / "notes.txt"
    link.symlink_to(tmp_path / ".env")
    assert rules.never_send_pattern(link) == "*.env"


def test_a_refusal_names_file_and_pattern_and_leave_given_once_holds(rules: PrivacyRules, tmp_path: Path) -> None:
    secret = tmp_path / "key.pem"
    assert rules.refusal(secret) == "key.pem is never sent without asking (Settings, Privacy: *.pem)."
    rules.allow(secret)
    assert rules.refusal(secret) == ""
    assert rules.refusal(tmp_path / "other.pem") != ""


def test_an_embedded_model_and_an_unsaved_text_need_no_leave(rules: PrivacyRules, tmp_path: Path) -> None:
    assert rules.refusal(tmp_path / ".env", model=EMBEDDED) == ""
    assert rules.refusal(tmp_path / ".env", model=CLOUD) != ""
    assert rules.refusal(None) == ""


def test_the_users_own_patterns_count_at_once(rules: PrivacyRules, settings: SettingsStore, tmp_path: Path) -> None:
    settings.set("privacy.never_send", ["", "*.secret", "!open.secret"])
    assert rules.never_send_pattern(tmp_path / "a.secret") == "*.secret"
    assert rules.never_send_pattern(tmp_path / "open.secret") == ""
    assert rules.never_send_pattern(tmp_path / ".env") == ""


def test_the_switch_is_the_setting(rules: PrivacyRules, settings: SettingsStore) -> None:
    assert rules.ai_enabled
    settings.set("privacy.ai_enabled", value=False)
    assert not rules.ai_enabled


def test_trust_covers_what_is_below_and_is_remembered(rules: PrivacyRules, tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / "src").mkdir(parents=True)
    assert not rules.is_trusted(project)
    rules.trust(project)
    assert rules.is_trusted(project / "src")
    assert not rules.is_trusted(tmp_path)
    assert TrustStore().is_trusted(project)
    rules.trusted_folders.remove(project)
    assert not TrustStore().is_trusted(project)


def test_trust_is_of_the_real_folder_not_of_a_link_to_it(rules: PrivacyRules, tmp_path: Path) -> None:
    (tmp_path / "trusted").mkdir()
    (tmp_path / "stranger").mkdir()
    rules.trust(tmp_path / "trusted")
    (tmp_path / "trusted" / "inside").symlink_to(tmp_path / "stranger")
    assert not rules.is_trusted(tmp_path / "trusted" / "inside")


@pytest.mark.parametrize("content", ["{", '{"a": 1}', "[1, null]", ""])
def test_a_broken_list_trusts_nothing(tmp_path: Path, content: str, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "trusted.json"
    path.write_text(content)
    with caplog.at_level(logging.WARNING):
        assert not TrustStore(path).is_trusted(tmp_path)
