"""Settings of all tests."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# Times say nothing on a machine that others load as well.
settings.register_profile(
    "prunus",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("prunus")
