"""Runs points on a Dask cluster: one that is up already, or one started on this machine. The only file that uses Dask.

The same face as `study/pool.py`. Lost workers and restarts are Dask's to survive; a straggler is started a second
time elsewhere, and the first answer counts (points are pure functions, so both are equal). Dask runs what it is sent,
by whom soever: a cluster started here listens on this machine alone, and another machine is talked to over TLS.
"""

from __future__ import annotations

import ipaddress
import logging
import math
import time
import warnings
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from jumpnet.errors import JumpnetError
from jumpnet.notices import notice
from jumpnet.process.workers import track

__all__ = ["DaskPool"]

ATTEMPTS = 5
"""Workers that a point may lose before it is given up."""

ANSWER_S = 10.0
"""Seconds that a scheduler has for its first answer."""

ALONE_S = 5.0
"""Seconds without any worker before that is said."""

STRAGGLER_FACTOR = 4.0
"""A point that runs this many times as long as the longest finished one, while cores are idle, is started again."""


def _is_safe(address: str) -> bool:
    """Whether a scheduler is on this machine, or is reached over TLS, where both sides show a certificate.

    >>> [_is_safe(f"{name}:8786") for name in ("tcp://127.0.0.1", "tls://far", "tcp://far", "10.0.0.7", "tcp://[::1]")]
    [True, True, False, False, True]
    """
    try:
        parts = urlsplit(address if "://" in address else f"tcp://{address}")
        host = parts.hostname or ""
    except ValueError:
        return False
    if parts.scheme in ("tls", "inproc") or host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class DaskPool:
    """Evaluates configurations on a Dask cluster.

    `address` is a scheduler (`tls://host:8786`); None starts `workers` processes here. `trusted` says that nobody else
    reaches the network to a scheduler elsewhere. Raises JumpnetError when Dask is missing, the scheduler does not
    answer, or it is elsewhere, without TLS and not trusted.
    """

    def __init__(
        self,
        evaluate: Callable[[dict[str, Any]], dict[str, Any]],
        address: str | None = None,
        workers: int = 2,
        trusted: bool = False,
    ):
        if address is not None and not trusted and not _is_safe(address):
            raise JumpnetError(
                f"scheduler {address!r} found, on another machine and without TLS: whoever reaches it can run code "
                "here; tls://... or --trust-scheduler expected"
            )
        try:
            import distributed
        except ImportError:
            raise JumpnetError("a cluster was asked for, but Dask is missing: pip install 'jumpnet[cluster]'") from None
        self._distributed = distributed
        self._evaluate = evaluate
        self._cluster = None
        if address is None:
            track()
            with warnings.catch_warnings():  # Dask's default port of a dashboard, which may be taken: there is none
                warnings.filterwarnings("ignore", r"\s*Port \d+ is already in use", UserWarning)
                try:
                    self._cluster = distributed.LocalCluster(
                        n_workers=workers, threads_per_worker=1, dashboard_address=None, host="127.0.0.1",
                        silence_logs=logging.CRITICAL,  # a worker that is lost too often is our line
                    )  # fmt: skip
                except (RuntimeError, OSError) as error:  # a worker was killed while it began, or there is no port
                    said = next(iter(str(error).splitlines()), type(error).__name__)
                    raise JumpnetError(
                        f"cluster of {workers} workers not started ({said}), room for it expected"
                    ) from None
            address = self._cluster.scheduler_address
        try:
            self._client = distributed.Client(address, timeout=ANSWER_S, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:  # the last where certificates are missing
            raise JumpnetError(f"scheduler {address!r}: no answer ({str(error).splitlines()[0]})") from None
        self._names: dict[Any, str] = {}
        self._configs: dict[str, dict[str, Any]] = {}
        self._since: dict[Any, float] = {}
        self._longest_s = 1.0
        self._alone_since: float | None = None

    @property
    def address(self) -> str:
        """The scheduler's address."""
        return str(self._client.scheduler.address)

    @property
    def workers(self) -> int:
        """Threads of all workers of the cluster."""
        return sum(self._client.nthreads().values())

    @property
    def busy(self) -> int:
        """Points queued or running."""
        return len(set(self._names.values()))

    def submit(self, task: tuple[str, dict[str, Any]]) -> None:
        """Queue a point (hash, configuration)."""
        name, config = task
        self._configs[name] = config
        self._start(name)

    def _start(self, name: str, copy: str = "") -> None:
        future = self._client.submit(
            self._evaluate, self._configs[name], key=f"jumpnet-{name}{copy}", retries=ATTEMPTS, pure=False
        )
        self._names[future] = name
        self._since[future] = time.monotonic()

    def wait(self, timeout_s: float | None = None) -> list[tuple[str, dict[str, Any]]]:
        """The points that finished next (none when the time ran out); raises JumpnetError for one that cannot run."""
        try:
            with self._client.as_current():
                done, _ = self._distributed.wait(list(self._names), timeout=timeout_s, return_when="FIRST_COMPLETED")
        except (TimeoutError, self._distributed.TimeoutError):
            self._tell_alone()
            self._help_stragglers()
            return []
        answers = {}
        for future in done:
            name = self._names.pop(future, None)
            self._longest_s = max(self._longest_s, time.monotonic() - self._since.pop(future, time.monotonic()))
            if name is None or name in answers:
                continue
            try:
                answers[name] = future.result()
            except self._distributed.KilledWorker:
                raise JumpnetError(f"point {name} lost its worker too often (out of memory, or killed)") from None
        for name in answers:
            for twin in [future for future, other in self._names.items() if other == name]:
                del self._names[twin]
                twin.cancel()
        return list(answers.items())

    def _tell_alone(self) -> None:
        """Say once when a scheduler of others has no worker (any more), or none yet: points wait for one.

        A cluster that was started here restarts its workers itself.
        """
        if self._cluster is not None:
            return
        if not self.workers:
            if self._alone_since is None:
                self._alone_since = time.monotonic()
            elif time.monotonic() - self._alone_since > ALONE_S:
                notice(f"scheduler {self.address} has no workers, its points wait for one; Ctrl-C ends that")
                self._alone_since = math.inf
        elif self._alone_since != math.inf:
            self._alone_since = None

    def _help_stragglers(self) -> None:
        """Start a point a second time when it takes far longer than any other and there is room."""
        running = list(self._names.values())
        if len(running) >= self.workers:
            return
        now = time.monotonic()
        for future, name in list(self._names.items()):
            if now - self._since[future] > STRAGGLER_FACTOR * self._longest_s and running.count(name) == 1:
                self._start(name, "-again")
                return

    def close(self) -> None:
        """Leave the cluster; one that was started here ends."""
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()
