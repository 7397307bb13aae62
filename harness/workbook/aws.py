"""What boto3 would find on this machine for Bedrock: settings are looked for by name, and nobody is asked."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

BEARER_TOKEN = "AWS_BEARER_TOKEN_BEDROCK"
# Either of these says who one is: variables of the environment, settings of a profile.
VARIABLES = (BEARER_TOKEN, "AWS_ACCESS_KEY_ID", "AWS_WEB_IDENTITY_TOKEN_FILE")
SETTINGS = (
    *("aws_access_key_id", "role_arn", "web_identity_token_file"),
    *("sso_session", "sso_start_url", "login_session", "credential_process"),
)
NO_CREDENTIALS = f"has no key: set {BEARER_TOKEN}, or AWS_PROFILE, before you start JupyterLab"


def lacking() -> str | None:
    """What Bedrock lacks here, in one sentence; None when there are credentials and a region. boto3 is installed."""
    if not _any_settings():
        return NO_CREDENTIALS
    from botocore.exceptions import BotoCoreError
    from botocore.session import Session

    session = Session()
    try:
        profile, region = session.get_scoped_config(), session.get_config_variable("region")
    except BotoCoreError as error:  # a profile that does not exist, a file that cannot be read
        return f"cannot use the settings of AWS: {error}"
    if not _names_credentials(profile):
        return NO_CREDENTIALS
    return None if region else "has no region: set AWS_DEFAULT_REGION before you start JupyterLab"


def _any_settings() -> bool:
    """Whether there is anything to find: botocore takes a moment to import."""
    return any(name.startswith("AWS_") for name in os.environ) or Path("~/.aws").expanduser().exists()


def _names_credentials(profile: Mapping[str, Any]) -> bool:
    return any(map(os.environ.get, VARIABLES)) or any(name in profile for name in SETTINGS)
