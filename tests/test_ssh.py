"""Guests, at a real OpenSSH server: they play and come back, reach no file and start no program."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from terminals import LONG, PROGRAM, Terminal
from typist import my_line, plays_written, read_file

PLACES = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])
SSHD, SSH, KEYGEN = (shutil.which(name, path=PLACES) for name in ("sshd", "ssh", "ssh-keygen"))
ME = pwd.getpwuid(os.geteuid())
STATE = Path(ME.pw_dir, ".local/state/basra")
SENT = "LANG LC_ALL XDG_STATE_HOME BASRA_* INPUTRC HOME PYTHONINSPECT NO_COLOR COLUMNS PYTHONSTARTUP TERM"
CONFIG = """
Port {port}
ListenAddress 127.0.0.1
HostKey {folder}/host
AuthorizedKeysFile {folder}/authorized
PidFile none
StrictModes no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin yes
DisableForwarding yes
AcceptEnv {sent}
"""


class Server(dict):
    """A server for guests: `server["basra"]` is a guest's client, `server["quick"]` one who need not wait."""

    def __init__(self, folder):
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        commands = {"basra": "--restricted", "quick": "--restricted resume --pace 0"}
        for name in ("host", *commands):
            subprocess.run([KEYGEN, "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True)
        authorized = [
            f'command="{sys.executable} {PROGRAM} {arguments}" {(folder / f"{name}.pub").read_text()}'
            for name, arguments in commands.items()
        ]
        (folder / "authorized").write_text("".join(authorized))
        (folder / "config").write_text(CONFIG.format(port=port, folder=folder, sent=SENT))
        for name in commands:
            options = {"StrictHostKeyChecking": "no", "UserKnownHostsFile": "/dev/null", "LogLevel": "ERROR"}
            options |= {"IdentitiesOnly": "yes", "IdentityAgent": "none", "SendEnv": SENT, "BatchMode": "yes"}
            chosen = [word for key, value in options.items() for word in ("-o", f"{key}={value}")]
            key = str(folder / name)
            self[name] = [SSH, "-F", "none", "-i", key, "-p", str(port), *chosen, f"{ME.pw_name}@127.0.0.1"]
        with open(folder / "log", "wb") as log:
            self.process = subprocess.Popen([SSHD, "-D", "-e", "-f", folder / "config"], stderr=log)

    def close(self):
        self.process.terminate()
        self.process.wait(LONG)

    def run(self, *words, typed=b"", environment=None):
        """Run a client without a terminal."""
        return subprocess.run(
            [*self["basra"], *words],
            input=typed,
            capture_output=True,
            timeout=LONG,
            env={"PATH": os.environ["PATH"], **(environment or {})},
        )

    def works(self):
        """Say whether anybody can log in, as soon as the server listens."""
        for _ in range(50):
            if self.process.poll() is not None:
                return False
            done = self.run()
            if b"Connection refused" not in done.stderr:
                return done.returncode == 0
            time.sleep(0.1)
        return False


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    if not (SSHD and SSH and KEYGEN):
        pytest.skip("there is no OpenSSH server here")
    if STATE.exists():
        pytest.skip("a guest's matches would be among those that are kept in the home folder")
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)
    server = Server(tmp_path_factory.mktemp("ssh"))
    try:
        if not server.works():
            pytest.skip(f"nobody can log in here: {(server.folder / 'log').read_text()[-300:]}")
        yield server
    finally:
        server.close()
        shutil.rmtree(STATE, ignore_errors=True)


@pytest.fixture
def guest(server, tmp_path):
    """Let a guest come, with an environment of their own choice."""
    opened = []

    def guest(client="basra", **environment):
        kind = type("Guest", (Terminal,), {"command": [*server[client], "-tt"]})
        opened.append(kind(tmp_path, **environment))
        return opened[-1]

    shutil.rmtree(STATE, ignore_errors=True)
    yield guest
    for terminal in opened:
        terminal.__exit__()


def kept():
    return sorted(STATE.glob("*.basra"))


def test_a_guest_loses_the_connection_comes_back_and_plays_to_the_end(guest):
    first = guest()
    first.expect("none): ")
    first.answer("tea")
    [path] = kept()
    for _ in range(2):
        first.answer(my_line(read_file(path).match))
    before = plays_written(read_file(path))
    first.process.send_signal(signal.SIGKILL)  # the client is no more
    first.process.wait()
    second = guest()
    shown = second.expect("\n> ")
    assert "This match goes on where it stopped." in shown
    second.answer(my_line(read_file(path).match))
    after = plays_written(read_file(path))
    assert after[: len(before)] == before
    assert len(after) > len(before)
    second.close()  # the terminal is no more
    second.process.wait()
    last = guest("quick")
    last.expect("goes on where it stopped")
    last.expect("\n> ")
    while not read_file(path).match.outcome:
        last.answer(my_line(read_file(path).match))
    assert " the match, " in last.text
    last.type("quit\n")
    assert last.end()[0] == 0
    assert kept() == [path]
    assert oct(path.stat().st_mode & 0o777) == "0o600"


def test_whatever_a_guest_types_no_file_is_reached_and_no_program_started(guest, tmp_path):
    terminal = guest()
    terminal.expect("none): ")
    terminal.answer("")
    trace = tmp_path / "trace"
    for line in (
        f"save {trace}",
        f"save ~/{trace.name}",
        "save",
        f"resume {trace}",
        f"play --record {trace}",
        f"!touch {trace}",
        f"! touch {trace}",
        f"| touch {trace}",
        f"`touch {trace}`",
        f"$(touch {trace})",
        f"help $(touch {trace})",
        f"record > {trace}",
        f"import os; os.system('touch {trace}')",
        f"\x1b\x05!touch {trace}",
        "\x16\x1b",
    ):
        shown = terminal.answer(line)
        assert "Traceback" not in shown
    assert "no file can be written here" in " ".join(terminal.text.split())
    assert not trace.exists()
    assert not (Path(ME.pw_dir) / trace.name).exists()
    assert len(kept()) == 1


def test_no_key_completes_the_name_of_a_file_or_of_a_user(guest):
    """Tab, and the keys that GNU readline and shells have for it; nor is a start-up file read again."""
    terminal = guest()
    terminal.expect("none): ")
    terminal.answer("")
    keys = "\t\t \x1b/ \x18/ \x1b? \x1b* \x1b~ \x1b! \x1b@ \x1b$ \x1b\\ \x1b& \x18\x12 \x18\x05 \x1b\x05"
    for before in ("/etc/pass", "save /etc/pass", f"~{ME.pw_name}", f"save ~{ME.pw_name}/", "$HOM"):
        for key in [*keys.split(" "), "\x1b\n\x1b&i", "\x1b\r\x1b&i"]:
            terminal.type(before + key)
            terminal.type("\x15\x0bscore\n")
            terminal.expect("to deal\n> ")
    shown = terminal.text
    assert "passwd" not in shown
    assert ME.pw_dir not in shown


def test_no_environment_variable_steers_a_guest(guest, tmp_path):
    """The home folder comes from the password database."""
    evil = tmp_path / "evil"
    evil.mkdir()
    (evil / "inputrc").write_text('"x": "resign\\n"\n')
    (evil / "startup").write_text(f"open({str(evil / 'trace')!r}, 'w')\n")
    terminal = guest(
        XDG_STATE_HOME=str(evil),
        HOME=str(evil),
        INPUTRC=str(evil / "inputrc"),
        PYTHONINSPECT="1",
        PYTHONSTARTUP=str(evil / "startup"),
        BASRA_AGAINST="random",
        BASRA_TARGET="21",
        BASRA_RULES="classic",
        BASRA_WORDS="1",
        BASRA_COLOR="always",
        BASRA_PACE="60",
        LANG="ar_EG.UTF-8",
        COLUMNS="30",
    )
    shown = terminal.expect("none): ")
    assert "A match to 101 against North (normal), rule set egyptian.\n" in shown
    shown = terminal.answer("")
    assert "\x1b[3" not in shown
    assert "x is not a command" in terminal.answer("x")
    terminal.type("quit\n")
    status, shown = terminal.end()
    assert (status, shown) == (0, "quit\n")
    assert sorted(path.name for path in evil.iterdir()) == ["inputrc", "startup"]
    assert len(kept()) == 1


def test_an_interrupt_leaves_no_interpreter_behind(guest):
    terminal = guest(PYTHONINSPECT="1")
    terminal.expect("none): ")
    terminal.answer("")
    terminal.type("\x03")
    terminal.expect("interrupt again to leave, or say quit\n")
    terminal.type("\x03")
    status, shown = terminal.end()
    assert status == 130
    assert ">>>" not in shown


@pytest.mark.parametrize("key", ["\x1a", "\x19"])
def test_a_guest_cannot_stop_the_program_to_reach_a_shell(key, guest):
    terminal = guest()
    terminal.expect("none): ")
    terminal.answer("")
    terminal.type(key)
    terminal.type("score\n")
    assert "to deal\n> " in terminal.expect("to deal\n> ")


@pytest.mark.parametrize(
    "command", ["cat /etc/passwd", "sh", "basra play --record /tmp/x", "-s sftp", "play --script /etc/passwd"]
)
def test_the_command_of_a_client_does_not_count(command, server, tmp_path):
    """Without a terminal standard input is a script, in which each line is refused as any other."""
    words = command.split() if command.startswith("-s") else [command]
    if command.startswith("-s"):
        words = ["-s", "sftp"]
    done = server.run(*words, typed=b"score\nsave x\n")
    assert b"root:" not in done.stdout + done.stderr
    if not command.startswith("-s"):
        assert done.returncode == 3
        assert b"stdin:2: no file can be written here" in done.stderr
    assert not (Path(ME.pw_dir) / "x").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        "play --record x",
        "play --script secret",
        "resume secret",
        "replay secret",
        "check secret",
        "play --against cmd:touch",
        "resume --against cmd:touch",
        "protocol --player cmd:touch",
        "simulate cmd:touch normal -n 1",
        "analyse secret",
    ],
)
def test_no_option_of_a_guest_names_a_file_or_a_program(arguments, tmp_path):
    """Whoever writes the command of the server may add options; this needs no server to see."""
    (tmp_path / "secret").write_text("secret\n")
    done = subprocess.run(
        [sys.executable, PROGRAM, "--restricted", *arguments.split()],
        capture_output=True,
        cwd=tmp_path,
        input=b"",
        timeout=LONG,
    )
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr.count(b"\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["secret"]
