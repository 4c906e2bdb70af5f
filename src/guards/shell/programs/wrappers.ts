import { programs, type Program } from './program.ts'

/** A program or builtin that starts a command given in its operands. */
export interface Wrapper extends Program {
  /** Operands before the command. */
  readonly skip?: number
  /** Words that contain `=` are variables. */
  readonly variables?: true
  /** A lone `-` before the command is an option, not the name of a program. */
  readonly dash?: true
  /** With one of these options it only prints information. */
  readonly asking?: readonly string[]
}

const WRAPS = { does: 'run', operands: 'texts', optionsFirst: true } as const

const TIME: Wrapper = {
  ...WRAPS,
  flags: 'apqv',
  options: '-f= -o> --format= --output> --append --portability --quiet --verbose',
}
const TIMEOUT: Wrapper = {
  ...WRAPS,
  skip: 1,
  flags: 'fpv',
  options: '-s= -k= --signal= --kill-after= --foreground --preserve-status --verbose',
}
const LOADER: Wrapper = {
  ...WRAPS,
  options:
    '--library-path= --preload= --audit= --argv0= --inhibit-cache --inhibit-rpath= --list --verify --list-tunables --glibc-hwcaps-prepend= --glibc-hwcaps-mask=',
}
const PLAIN: Wrapper = WRAPS

/** All options of these programs are listed, so the start of the command is certain. */
const WRAPPERS = programs<Wrapper>({
  env: {
    ...WRAPS,
    variables: true,
    dash: true,
    flags: 'i0v',
    options: `-u= -C= -S! --unset= --chdir= --split-string! --ignore-environment --null --debug --default-signal? --ignore-signal?
    --block-signal? --list-signal-handling`,
  },
  nice: { ...WRAPS, options: '-n= --adjustment=', shapes: /^-\d+$/ },
  'timeout gtimeout': TIMEOUT,
  xargs: {
    ...WRAPS,
    flags: '0oprtx',
    options: `-a@ -d= -E= -e? -I= -i? -L= -l? -n= -P= -s= --arg-file@ --delimiter= --eof? --replace? --max-lines? --max-args= --max-procs=
    --max-chars= --null --no-run-if-empty --interactive --verbose --exit --open-tty --process-slot-var= --show-limits`,
  },
  sudo: {
    ...WRAPS,
    variables: true,
    flags: 'ABbEeHiKklnNPSsVv',
    options: `-C= -D= -g= -h= -p= -R= -r= -T= -t= -U= -u= --user= --group= --host= --prompt= --chdir= --chroot= --other-user= --role= --type=
    --close-from= --command-timeout= --askpass --background --bell --preserve-env? --edit --set-home --login --remove-timestamp
    --reset-timestamp --list --non-interactive --no-update --preserve-groups --stdin --shell --validate`,
  },
  doas: { ...WRAPS, flags: 'Lns', options: '-C@ -a= -u=' },
  command: { ...WRAPS, flags: 'pvV', asking: ['-v', '-V'] },
  exec: { ...WRAPS, flags: 'cl', options: '-a=' },
  stdbuf: { ...WRAPS, options: '-i= -o= -e= --input= --output= --error=' },
  setsid: { ...WRAPS, flags: 'cfw', options: '--ctty --fork --wait' },
  ionice: { ...WRAPS, flags: 't', options: '-c= -n= -p= -P= -u= --class= --classdata= --pid= --pgid= --uid= --ignore' },
  chrt: {
    ...WRAPS,
    skip: 1,
    flags: 'abdfirmRvo',
    options: `-T= -P= -D= -p= --sched-runtime= --sched-period= --sched-deadline= --all-tasks --batch --deadline --fifo --idle --max --other --rr
    --reset-on-fork --verbose`,
  },
  taskset: { ...WRAPS, skip: 1, flags: 'acp', options: '--all-tasks --cpu-list --pid' },
  flock: {
    ...WRAPS,
    skip: 1,
    flags: 'sxeunoF',
    options:
      '-w= -E= -c! --timeout= --wait= --conflict-exit-code= --command! --shared --exclusive --unlock --nonblock --nb --close --no-fork --verbose',
  },
  chroot: { ...WRAPS, skip: 1, options: '--userspec= --groups= --skip-chdir' },
  strace: {
    ...WRAPS,
    flags: 'AcCdDfFhiknNqrtTvVwxyYzZ',
    options: `-a= -b= -e= -E= -I= -o> -O= -p= -P= -s= -S= -u= -U= -X= -qq -qqq -tt -ttt -ff -xx -yy -DD -DDD --output> --trace= --abbrev= --verbose= --raw=
    --signal= --status= --read= --write= --fault= --inject= --kvm= --env= --user= --attach= --trace-path= --string-limit= --columns= --detach-on=
    --summary --summary-only --summary-sort-by= --summary-columns= --summary-wall-clock --summary-syscall-overhead= --follow-forks
    --output-separately --output-append-mode --daemonize? --interruptible= --quiet? --silent? --silence? --decode-fds? --decode-pids? --debug
    --instruction-pointer --syscall-number --stack-traces --stack-trace --relative-timestamps? --absolute-timestamps? --timestamps? --syscall-times?
    --const-print-style= --strings-in-hex? --no-abbrev --tips? --seccomp-bpf --successful-only --failed-only --secontext? --argv0= --pidns-translation
    --stack-trace-frame-limit= --syscall-limit= --arg0=`,
  },
  ltrace: {
    ...WRAPS,
    flags: 'bcCfiLrStTV',
    options:
      '-a= -A= -D= -e= -F@ -l= -n= -o> -p= -s= -u= -w= -x= -X= -tt -ttt --align= --config@ --debug= --indent= --library= --output> --demangle --no-signals',
  },
  'time gtime': TIME,
  unshare: {
    ...WRAPS,
    flags: 'muinpUTrcf',
    options: `-S= -G= -R@ -w= --mount? --uts? --ipc? --net? --pid? --user? --cgroup? --time? --mount-proc? --map-root-user --map-current-user --map-auto
    --map-user= --map-group= --map-users= --map-groups= --setuid= --setgid= --root@ --wd= --fork --kill-child? --propagation= --setgroups=
    --keep-caps --monotonic= --boottime=`,
  },
  nsenter: {
    ...WRAPS,
    flags: 'aFZ',
    options: `-t= -S= -G= -m? -u? -i? -n? -p? -U? -C? -T? -r? -w? -W= --target= --setuid= --setgid= --all --mount? --uts? --ipc? --net? --pid? --user?
    --cgroup? --time? --root? --wd? --wdns= --no-fork --follow-context --preserve-credentials`,
  },
  setpriv: {
    ...WRAPS,
    options: `--reuid= --regid= --ruid= --euid= --rgid= --egid= --groups= --inh-caps= --ambient-caps= --bounding-set= --securebits= --pdeathsig=
    --selinux-label= --apparmor-profile= --clear-groups --keep-groups --init-groups --no-new-privs --reset-env --nnp --dump --list-caps`,
    flags: 'd',
  },
  prlimit: {
    ...WRAPS,
    options: `-p= --pid= --output= --noheadings --raw --verbose --as? --core? --cpu? --data? --fsize? --locks? --memlock? --msgqueue?
    --nice? --nofile? --nproc? --rss? --rtprio? --rttime? --sigpending? --stack? -c? -d? -e? -f? -i? -l? -m? -n? -q? -r? -s? -t? -u? -v? -x? -y?`,
  },
  choom: { ...WRAPS, options: '-n= -p= --adjust= --pid=' },
  caffeinate: { ...WRAPS, flags: 'dimsu', options: '-t= -w=' },
  npx: {
    ...WRAPS,
    flags: 'yq',
    options:
      '-p= -w= -c! --package= --workspace= --call! --yes --no --quiet --workspaces --include-workspace-root --no-install --ignore-existing',
  },
  fakeroot: { ...WRAPS, flags: 'uhv', options: '-l@ -s> -i@ -b= --lib@ --faked@' },
  rlwrap: {
    ...WRAPS,
    flags: 'cdeEimnNrRuvw',
    options: '-a? -b= -C= -D= -f@ -g= -H> -l> -M= -O= -p? -P= -q= -s= -S= -t= -z!',
  },
  'ld.so': LOADER,
  // `shell` is the command of gdb and make.
  'nohup builtin busybox toybox unbuffer torsocks proxychains bunx coproc shell': PLAIN,
})

/** Returns the wrapper of this name. */
export const wrapperOf = (name: string): Wrapper | undefined =>
  WRAPPERS.get(name) ?? (/^ld-linux.*\.so/.test(name) ? LOADER : undefined)

const names = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** Programs that start a command from their arguments in other ways. */
const LOOSE =
  names(`at batch watch parallel entr script ssh su runuser systemd-run run0 pkexec valgrind gdb perf firejail bwrap proot
dbus-run-session xvfb-run cpulimit start-stop-daemon faketime chpst softlimit multitime hyperfine expect setarch i386 i486 i586
i686 athlon x86_64 amd64 linux32 linux64 uname26 arm aarch64 numactl capsh eatmydata gosu su-exec tini dumb-init setuidgid envdir
daemon daemonize nocache schedtool cgexec systemd-inhibit systemd-cat torify tsocks proxychains4 trickle sshpass sem chronic ifne
lckdo setlock sg ssh-agent dbus-launch xinit startx cross-env cross-env-shell concurrently env-cmd heaptrack rr uftrace dtach abduco watchexec nodemon mpirun mpiexec srun catchsegv xterm memusage lldb`)

/** Programs with subcommands: some start a command, others only have the name of one (`docker rm`). */
const MAYBE =
  names(`docker podman kubectl tmux screen uv poetry pipenv bundle npm pnpm yarn bun corepack fd fdfind make osascript wsl
cmd powershell pwsh ip conda mamba pdm hatch rye pixi nix nix-shell guix flatpak snap distrobox toolbox vagrant lxc incus machinectl
nerdctl crictl direnv mise asdf rbenv pyenv nodenv goenv jenv pipx cargo dotenv op`)

/** Reports whether the program's arguments contain a command, or may contain one. */
export function holdsCommand(name: string): 'certain' | 'possible' | 'none' {
  if (LOOSE.has(name)) return 'certain'
  return MAYBE.has(name) ? 'possible' : 'none'
}
