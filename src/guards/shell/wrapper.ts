/** How the command that a program starts stands among its arguments. */
export interface Wrapper {
  /** Short options with a value of their own. */
  readonly values?: string
  /** Long options whose value may be the next word. */
  readonly long?: readonly string[]
  /** Arguments before the command that are no options. */
  readonly skip?: number
  /** `NAME=value` may stand before the command. */
  readonly variables?: true
  /** With one of these options it only tells something. */
  readonly asks?: RegExp
}

const PLAIN: Wrapper = {}

/** Programs and builtins that start another command which stands in their arguments as it is. */
const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map([
  ['env', { values: 'uCS', long: ['unset', 'chdir', 'split-string'], variables: true }],
  ['nice', { values: 'n', long: ['adjustment'] }],
  ['nohup', PLAIN],
  ['timeout', { values: 'sk', long: ['signal', 'kill-after'], skip: 1 }],
  ['gtimeout', { values: 'sk', long: ['signal', 'kill-after'], skip: 1 }],
  ['xargs', { values: 'adEILnPs', long: ['arg-file', 'delimiter', 'max-args', 'max-lines', 'max-procs', 'max-chars'] }],
  [
    'sudo',
    {
      values: 'CDghpRrTtUu',
      long: ['user', 'group', 'host', 'prompt', 'chdir', 'chroot', 'other-user', 'role', 'type', 'close-from'],
      variables: true,
    },
  ],
  ['doas', { values: 'Cu' }],
  ['command', { asks: /^-[vV]/ }],
  ['builtin', PLAIN],
  ['exec', { values: 'a' }],
  ['stdbuf', { values: 'ioe', long: ['input', 'output', 'error'] }],
  ['setsid', PLAIN],
  ['ionice', { values: 'cn', long: ['class', 'classdata'] }],
  ['chrt', { values: 'TPD', skip: 1 }],
  ['taskset', { skip: 1 }],
  ['flock', { values: 'wE', long: ['timeout', 'wait', 'conflict-exit-code'], skip: 1 }],
  ['chroot', { long: ['userspec', 'groups'], skip: 1 }],
  ['strace', { values: 'abeEIoOpPsSuUX' }],
  ['ltrace', { values: 'aADeFlnopsuwxX' }],
  ['time', { values: 'fo', long: ['format', 'output'] }],
  ['gtime', { values: 'fo', long: ['format', 'output'] }],
  ['busybox', PLAIN],
  ['toybox', PLAIN],
  ['unshare', { values: 'SGRw', long: ['map-user', 'map-group', 'setuid', 'setgid', 'root', 'wd'] }],
  ['nsenter', { values: 'tSG', long: ['target', 'setuid', 'setgid'] }],
  ['setpriv', { long: ['reuid', 'regid', 'groups', 'inh-caps', 'bounding-set'] }],
  ['prlimit', PLAIN],
  ['fakeroot', PLAIN],
  ['caffeinate', { values: 'tw' }],
  ['rlwrap', PLAIN],
  ['unbuffer', PLAIN],
  ['torsocks', PLAIN],
  ['proxychains', PLAIN],
  ['ld.so', { long: ['library-path', 'preload', 'audit', 'argv0'] }],
  ['npx', { values: 'pw', long: ['package', 'workspace'] }],
  ['bunx', PLAIN],
  ['coproc', PLAIN],
  ['choom', { values: 'np', long: ['adjust', 'pid'] }],
  // As gdb and make spell it.
  ['shell', PLAIN],
])

const names = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** Programs that start a command from their arguments in ways of their own. */
const LOOSE =
  names(`at batch watch parallel entr script ssh su runuser systemd-run run0 pkexec valgrind gdb perf firejail bwrap proot
dbus-run-session xvfb-run cpulimit start-stop-daemon faketime chpst softlimit multitime hyperfine expect setarch i386 i486 i586
i686 athlon x86_64 amd64 linux32 linux64 uname26 arm aarch64 numactl capsh eatmydata gosu su-exec tini dumb-init setuidgid envdir
daemon daemonize nocache schedtool cgexec systemd-inhibit systemd-cat torify tsocks proxychains4 trickle sshpass sem chronic ifne
lckdo setlock sg heaptrack rr uftrace dtach abduco watchexec nodemon mpirun mpiexec srun catchsegv xterm memusage lldb`)

/** Programs with subcommands of which some start a command, and some are only called like one: `docker rm`. */
const MAYBE =
  names(`docker podman kubectl tmux screen uv poetry pipenv bundle npm pnpm yarn bun corepack fd fdfind make osascript wsl
cmd powershell pwsh ip conda mamba pdm hatch rye pixi nix nix-shell guix flatpak snap distrobox toolbox vagrant lxc incus machinectl
nerdctl crictl direnv mise asdf cargo dotenv op`)

/** How the program of this name starts another, where the command stands in its arguments. */
export const wrapperOf = (name: string): Wrapper | undefined =>
  WRAPPERS.get(name) ?? (/^ld-linux.*\.so/.test(name) ? WRAPPERS.get('ld.so') : undefined)

/** Whether the program's arguments hold a command somewhere, or possibly do. */
export function looseness(name: string): 'certain' | 'possible' | 'none' {
  if (LOOSE.has(name)) return 'certain'
  return MAYBE.has(name) ? 'possible' : 'none'
}

/** Where in the words of a wrapper its command begins; undefined where there is none. */
export function innerStart(wrapper: Wrapper, words: readonly string[]): number | undefined {
  let skip = wrapper.skip ?? 0
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? ''
    if (wrapper.asks?.test(word)) return undefined
    if (word === '--') continue
    if (word.startsWith('-') && word !== '-') at += takesNext(wrapper, word) ? 1 : 0
    else if (word !== '-' && !(wrapper.variables && /^[A-Za-z_]\w*=/.test(word)) && skip-- <= 0) return at
  }
  return undefined
}

function takesNext({ values = '', long = [] }: Wrapper, word: string): boolean {
  if (word.startsWith('--')) return !word.includes('=') && long.some(name => name.startsWith(word.slice(2)))
  const at = [...word].findIndex((letter, index) => index > 0 && values.includes(letter))
  return at === word.length - 1 && at > 0
}
