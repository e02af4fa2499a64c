"""The one exception that users see."""


class RotaError(Exception):
    """A fault that the user can mend: one line that says what is wrong and what to do.

    The command prints it as ``rota: …`` on standard error and exits with status 2.
    """
