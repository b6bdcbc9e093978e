# Two commands matter: `make run` and `make test`. Each sets up all it needs, once.
PYTHON ?= python3
BIN := .venv/bin
DISPLAY_LIBRARIES := libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-image0 libxcb-render-util0 libxcb-util1 \
	libxcb-xkb1 libxkbcommon-x11-0 libxcb-randr0 libxcb-shape0 libxcb-xfixes0 libxcb-sync1 libegl1 libgl1 \
	libfontconfig1 libdbus-1-3 libglib2.0-0
FEDORA_LIBRARIES := xcb-util-cursor xcb-util-wm xcb-util-keysyms xcb-util-image xcb-util-renderutil xcb-util \
	libxkbcommon-x11 libxcb mesa-libEGL mesa-libGL fontconfig dbus-libs glib2

.PHONY: help run test lint format docs bench tour pictures model clean

help:
	@echo "make run     open the editor"
	@echo "make test    every check: style, types, layers, tests"
	@echo "make lint    the checks without the tests"
	@echo "make format  put the code into its usual form"
	@echo "make docs    write docs/settings.md from the declared settings"
	@echo "make bench   timings, as ratios"
	@echo "make tour    do the main job in a real window and write screenshots to build/tour"
	@echo "make pictures  every state in every theme, to build/pictures and docs/pictures"
	@echo "make model   fetch the small embedded model the tests use (491 MB)"

run: .venv/.installed
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ]; then exec $(BIN)/redraft $(FILES); \
	else echo "There is no display here, so the editor cannot open a window; running the tour instead."; \
	$(MAKE) --no-print-directory tour; fi

# Each folder of window tests has a process of its own: the many windows of one need not stand in the memory of the next.
test: lint model
	$(BIN)/pytest --ignore=tests/qt --ignore=tests/test_app.py
	$(BIN)/pytest tests/test_app.py tests/qt/test_*.py
	@set -e; for folder in $$(find tests/qt -mindepth 1 -maxdepth 1 -type d ! -name __pycache__ | sort); do $(BIN)/pytest $$folder; done

lint: .venv/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: .venv/.installed
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: .venv/.installed
	$(BIN)/python -m redraft.host.settings_page > docs/settings.md

bench: .venv/.installed
	$(BIN)/pytest tests/benchmarks --override-ini="addopts=--import-mode=importlib"

tour: .venv/.installed .venv/.xvfb
	$(BIN)/redraft models pull
	$(BIN)/python tests/tour.py build/tour

pictures: .venv/.installed
	$(BIN)/python tests/pictures.py build/pictures --docs docs/pictures

model: .venv/.installed
	$(BIN)/redraft models pull qwen2.5-coder-0.5b

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis

.venv/.installed: pyproject.toml | .venv/.libraries
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable . --group dev
	@touch $@

# Qt's own wheel brings Qt, not the X11 and OpenGL libraries beneath it.
.venv/.libraries: | .venv/.made
	@missing=""; for library in libxcb-cursor.so.0 libxcb-icccm.so.4 libxcb-keysyms.so.1 libxcb-image.so.0 \
		libxkbcommon-x11.so.0 libEGL.so.1 libGL.so.1 libfontconfig.so.1 libdbus-1.so.3 libglib-2.0.so.0; do \
		ldconfig -p | grep -q "$$library" || missing="$$missing $$library"; done; \
	if [ -n "$$missing" ]; then \
		if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
			apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $(DISPLAY_LIBRARIES) >/dev/null; \
		elif command -v apt-get >/dev/null; then \
			echo "Qt needs system libraries:$$missing"; \
			echo "Install them with:  sudo apt-get install $(DISPLAY_LIBRARIES)"; exit 1; \
		else \
			echo "Qt needs system libraries:$$missing"; \
			echo "Install them with:  sudo dnf install $(FEDORA_LIBRARIES)"; exit 1; \
		fi; fi
	@touch $@

.venv/.xvfb: | .venv/.made
	@if [ -z "$$DISPLAY" ] && ! command -v Xvfb >/dev/null; then \
		if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
			apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq xvfb >/dev/null; \
		else echo "The tour needs a display. Install a virtual one with:  sudo apt-get install xvfb  (Fedora: sudo dnf install xorg-x11-server-Xvfb)"; exit 1; \
		fi; fi
	@touch $@

.venv/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Redraft needs Python 3.11 or newer; name one with  make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || \
		if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
			apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq python3-venv >/dev/null; \
		else echo "Python cannot make virtual environments here. Install that with:  sudo apt-get install python3-venv"; exit 1; fi
	$(PYTHON) -m venv .venv
	@touch $@
