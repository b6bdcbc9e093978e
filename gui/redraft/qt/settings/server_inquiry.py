"""Asks the server that a form describes whether it works and which models it has, and shows the answers there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from redraft.api.tasks import TaskHandle, Tasks
from redraft.core.llm.api import list_models
from redraft.core.llm.probe import ProbeReport, probe
from redraft.core.llm.server import ServerConfig
from redraft.qt.settings.provider_form import ProviderForm


class ServerInquiry(QObject):
    """One test and one list at a time; `config_to_ask` tells the server, or nothing where the form makes no sense."""

    tested = Signal()
    """A test is over; a cancelled one never is."""

    def __init__(self, tasks: Tasks, form: ProviderForm, config_to_ask: Callable[[], ServerConfig | None]) -> None:
        super().__init__(form)
        self._tasks = tasks
        self._form = form
        self._config_to_ask = config_to_ask
        self._test: TaskHandle | None = None
        self._listing: TaskHandle | None = None
        self.report: ProbeReport | None = None
        form.strip.test_wanted.connect(self.test)
        form.strip.cancel_wanted.connect(self.cancel)
        form.model.list_wanted.connect(self._on_list_wanted)

    def test(self) -> None:
        """Test the connection."""
        config = self._config_to_ask()
        if config is not None and self._test is None:
            self._form.strip.show_running()
            self._test = self._tasks.start(probe(config), on_events=self._on_reports, on_done=self._on_tested)

    def cancel(self) -> None:
        """End the test, if one runs."""
        if self._test is not None:
            test, self._test = self._test, None
            test.cancel()
            self._form.strip.show_idle()

    def forget(self) -> None:
        """What was found is about another server than the form describes now."""
        self.report = None
        self._form.strip.show_idle()

    def stop(self) -> None:
        """End what goes on, and show nothing more."""
        for task in (self._test, self._listing):
            if task is not None:
                task.cancel()
        self._test = self._listing = None

    def _on_reports(self, reports: Sequence[ProbeReport]) -> None:
        if self._test is None:
            return
        last = reports[-1]
        if last.models:
            self._form.model.set_models(last.models)
        if last.is_over:
            self.report = last
            self._form.strip.show_report(last)
        else:
            self._form.strip.show_running(last)

    def _on_tested(self, error: Exception | None) -> None:
        if self._test is None:
            return
        self._test = None
        if error is not None:
            self._form.strip.show_failure(str(error))
        self.tested.emit()

    def _on_list_wanted(self) -> None:
        config = self._config_to_ask()
        if config is not None and self._listing is None:
            self._listing = self._tasks.run(list_models(config), on_done=self._on_listed, on_error=self._on_not_listed)

    def _on_listed(self, models: list[str]) -> None:
        self._listing = None
        form = self._form
        form.model.set_models(models)
        form.show_faults({} if models else {"model": "The server lists no models; write the model's name."})
        if models and form.model.hasFocus():
            form.model.showPopup()

    def _on_not_listed(self, error: Exception) -> None:
        self._listing = None
        self._form.show_faults({"model": str(error)})
