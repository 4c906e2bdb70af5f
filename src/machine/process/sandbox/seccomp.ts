/** Numbers of the calls that the filter names; undefined if the machine lacks a call. */
interface Numbers {
  readonly arch: number
  /** Numbers from here on belong to the x32 interface. */
  readonly foreign?: number
  readonly refused: readonly number[]
  readonly unknown: readonly number[]
  readonly clone: number
  readonly unshare: number
  readonly socket: number
  readonly socketpair: number
  readonly ioctl: number
  readonly memfdCreate: number
  readonly shmget: number
  /** Calls that create or change a file, with the index of their mode argument. */
  readonly modes: readonly (readonly [call: number, argument: number])[]
  /** Calls whose mode counts only when their flags create a file. */
  readonly opens: readonly (readonly [call: number, flags: number])[]
}

// io_uring_setup, _enter, _register, openat2 (its mode is out of sight), clone3 (its flags are), memfd_secret.
const UNKNOWN = [425, 426, 427, 437, 435, 447]
// open_tree, move_mount, fsopen, fsconfig, fsmount, fspick, mount_setattr.
const MOUNTS = [428, 429, 430, 431, 432, 433, 442]

const MACHINES: Readonly<Partial<Record<NodeJS.Architecture, Numbers>>> = {
  x64: {
    arch: 0xc000003e,
    foreign: 0x40000000,
    // keyctl, add_key, request_key, bpf, perf_event_open, userfaultfd, setns, mount, umount2, pivot_root,
    // open_by_handle_at, syslog, modules, kexec, reboot, swap, acct, quotactl, modify_ldt, iopl, ioperm, clock settings.
    refused: [
      250,
      248,
      249,
      321,
      298,
      323,
      308,
      165,
      166,
      155,
      304,
      103,
      175,
      313,
      176,
      246,
      320,
      169,
      167,
      168,
      163,
      179,
      154,
      172,
      173,
      164,
      227,
      159,
      305,
      ...MOUNTS,
    ],
    unknown: UNKNOWN,
    clone: 56,
    unshare: 272,
    socket: 41,
    socketpair: 53,
    ioctl: 16,
    memfdCreate: 319,
    shmget: 29,
    // chmod, fchmod, fchmodat, fchmodat2, creat, mknod, mknodat.
    modes: [
      [90, 1],
      [91, 1],
      [268, 2],
      [452, 2],
      [85, 1],
      [133, 1],
      [259, 2],
    ],
    // open, openat.
    opens: [
      [2, 1],
      [257, 2],
    ],
  },
  arm64: {
    arch: 0xc00000b7,
    refused: [
      219,
      217,
      218,
      280,
      241,
      282,
      268,
      40,
      39,
      41,
      265,
      116,
      105,
      273,
      106,
      104,
      294,
      142,
      224,
      225,
      89,
      60,
      170,
      112,
      171,
      266,
      ...MOUNTS,
    ],
    unknown: UNKNOWN,
    clone: 220,
    unshare: 97,
    socket: 198,
    socketpair: 199,
    ioctl: 29,
    memfdCreate: 279,
    shmget: 194,
    // fchmod, fchmodat, fchmodat2, mknodat.
    modes: [
      [52, 1],
      [53, 2],
      [452, 2],
      [33, 2],
    ],
    opens: [[56, 2]],
  },
}

const EPERM = 1
const ENOSYS = 38
const EAFNOSUPPORT = 97
const EINVAL = 22

const ALLOW = 0x7fff0000
const KILL_PROCESS = 0x80000000
const errno = (code: number): number => 0x00050000 | code

/** AF_UNIX, AF_INET, AF_INET6, AF_NETLINK: used by programs. The others lead into the kernel or to the host. */
const FAMILIES = [1, 2, 10, 16]
const NEW_USER = 0x10000000
// TIOCSTI and TIOCLINUX inject input into a terminal.
const TERMINAL_INJECTIONS = [0x5412, 0x541c]
const SETUID_OR_SETGID = 0o6000
// O_CREAT and __O_TMPFILE.
const CREATES = 0o100 | 0o20000000
const SHARED_SEGMENT = 1024 * 1024

/**
 * Returns the filter as `--seccomp` reads it, or undefined on a machine with unknown call numbers. Without a memory
 * cgroup, refuses memory that belongs to no process (memfd, large System V segments).
 */
export function seccompFilter(
  options: { readonly memoryCounted: boolean },
  machine: NodeJS.Architecture = process.arch,
): Uint8Array | undefined {
  const numbers = MACHINES[machine]
  if (!numbers) return undefined
  const { opens, modes } = numbers
  return assemble([
    load(4),
    jumpIf(EQUAL, numbers.arch, 1, 0),
    give(KILL_PROCESS),
    load(0),
    ...(numbers.foreign === undefined ? [] : [jumpIf(AT_LEAST, numbers.foreign, 0, 1), give(errno(ENOSYS))]),
    ...numbers.refused.flatMap(call => refuse(call, EPERM)),
    ...numbers.unknown.flatMap(call => refuse(call, ENOSYS)),
    ...on(numbers.clone, [argument(0), jumpIf(ANY_BIT, NEW_USER, 0, 1), give(errno(EPERM))]),
    ...on(numbers.unshare, [argument(0), jumpIf(ANY_BIT, NEW_USER, 0, 1), give(errno(EPERM))]),
    ...on(numbers.socket, families()),
    ...on(numbers.socketpair, families()),
    ...on(numbers.ioctl, [
      argument(1),
      ...TERMINAL_INJECTIONS.flatMap(request => [jumpIf(EQUAL, request, 0, 1), give(errno(EPERM))]),
    ]),
    ...modes.flatMap(([call, at]) =>
      on(call, [argument(at), jumpIf(ANY_BIT, SETUID_OR_SETGID, 0, 1), give(errno(EPERM))]),
    ),
    ...opens.flatMap(([call, at]) =>
      on(call, [
        argument(at),
        jumpIf(ANY_BIT, CREATES, 0, 3),
        argument(at + 1),
        jumpIf(ANY_BIT, SETUID_OR_SETGID, 0, 1),
        give(errno(EPERM)),
      ]),
    ),
    ...(options.memoryCounted ? [] : uncountedMemory(numbers)),
    give(ALLOW),
  ])
}

function uncountedMemory(numbers: Numbers): Instruction[] {
  return [
    ...refuse(numbers.memfdCreate, ENOSYS),
    ...on(numbers.shmget, [
      load(16 + 8 + 4),
      jumpIf(EQUAL, 0, 1, 0),
      give(errno(EINVAL)),
      argument(1),
      jumpIf(ABOVE, SHARED_SEGMENT, 0, 1),
      give(errno(EINVAL)),
    ]),
  ]
}

const families = (): Instruction[] => [
  argument(0),
  ...FAMILIES.flatMap(family => [jumpIf(EQUAL, family, 0, 1), give(ALLOW)]),
  give(errno(EAFNOSUPPORT)),
]

type Instruction = readonly [code: number, whenTrue: number, whenFalse: number, value: number]

const EQUAL = 0x15
const ABOVE = 0x25
const AT_LEAST = 0x35
const ANY_BIT = 0x45

const load = (offset: number): Instruction => [0x20, 0, 0, offset]
/** Low half of an argument: both machines are little-endian, and every compared value fits into it. */
const argument = (at: number): Instruction => load(16 + 8 * at)
const give = (action: number): Instruction => [0x06, 0, 0, action]
const jumpIf = (test: number, value: number, whenTrue: number, whenFalse: number): Instruction => [
  test,
  whenTrue,
  whenFalse,
  value,
]
const refuse = (call: number, code: number): Instruction[] => [jumpIf(EQUAL, call, 0, 1), give(errno(code))]

/** Checks for one call only; afterwards the call is allowed. */
const on = (call: number, body: readonly Instruction[]): Instruction[] => [
  jumpIf(EQUAL, call, 0, body.length + 1),
  ...body,
  give(ALLOW),
]

function assemble(program: readonly Instruction[]): Uint8Array {
  const bytes = Buffer.alloc(program.length * 8)
  for (const [at, [code, whenTrue, whenFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, at * 8)
    bytes.writeUInt8(whenTrue, at * 8 + 2)
    bytes.writeUInt8(whenFalse, at * 8 + 3)
    bytes.writeUInt32LE(value >>> 0, at * 8 + 4)
  }
  return bytes
}
