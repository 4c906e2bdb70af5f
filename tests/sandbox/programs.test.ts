// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { needs } from '../needs.ts'
import { maskedProc, playing } from './played.ts'
import { openWorld, worldNames, type World } from './world.ts'

const it = needs('bubblewrap')

/** Programs that people use, and a sign that they did their work; a program that this machine lacks is left out. */
const PROGRAMS: readonly { name: string; line: string; says: RegExp }[] = [
  {
    name: 'git',
    line: 'git init -q . && git add a.txt && git -c user.name=A -c user.email=a@b commit -qm first && git status -sb && git log --oneline',
    says: /## (main|master)[^]*first/,
  },
  {
    name: 'node',
    line: `node -e 'console.log(process.version, require("os").userInfo().username)'`,
    says: /^v\d+.* user/,
  },
  {
    name: 'npm',
    line: 'npm init -y >/dev/null && npm pkg set scripts.hi="echo hello" && npm run -s hi',
    says: /hello/,
  },
  {
    name: 'python3',
    line: `python3 -c 'import sys, ssl, sqlite3, multiprocessing as m; q = m.Queue(); q.put(7); print(sys.version_info[0], q.get())'`,
    says: /3 7/,
  },
  { name: 'gcc', line: `echo 'int main(){return 7;}' > m.c && gcc m.c -o m && ./m; echo $?`, says: /^7$/m },
  { name: 'make', line: `printf 'all:\\n\\t@echo made\\n' > Makefile && make`, says: /made/ },
  { name: 'tar', line: 'tar czf /tmp/t.tgz a.txt && tar tzf /tmp/t.tgz', says: /a\.txt/ },
  { name: 'bash', line: `bash -c 'cat <(echo through a pipe)'`, says: /through a pipe/ },
  {
    name: 'tee',
    line: 'echo a | tee /dev/stdout /dev/stderr && echo b > /dev/stdout && echo c > /dev/stderr && echo d >> /dev/fd/1',
    says: /^a\na\nb\nd\n$/,
  },
  { name: 'perl', line: `perl -MPOSIX -e 'print "perl ", getuid() != 0, "\\n"'`, says: /perl 1/ },
  { name: 'java', line: 'java -Xmx64m -XX:ReservedCodeCacheSize=16m -version 2>&1', says: /version/ },
]

const isHere = (name: string): boolean => {
  try {
    execFileSync('/bin/sh', ['-c', `PATH=/usr/local/bin:/usr/bin:/bin command -v ${name}`], { stdio: 'ignore' })
    return true
  } catch {
    return name === 'node'
  }
}

/** What a program can only ask for by number, in the numbers of x64, and the error it gets. */
const CALLS: readonly (readonly [what: string, call: string, errno: number])[] = [
  ['a socket to the hypervisor', 'syscall(41, 40, 1, 0)', 97],
  ['a packet socket', 'syscall(41, 17, 3, 0)', 97],
  ['a socket of kernel crypto', 'syscall(41, 38, 5, 0)', 97],
  ['io_uring', 'syscall(425, 8, 0)', 38],
  ['a keyring', 'syscall(250, 0, -3, 1)', 1],
  ['bpf', 'syscall(321, 0, 0, 0)', 1],
  ['performance events', 'syscall(298, 0, 0, 0, 0, 0)', 1],
  ['userfaultfd', 'syscall(323, 0)', 1],
  ['a user namespace', 'syscall(272, 0x10000000)', 1],
  ['clone3', 'syscall(435, 0, 0)', 38],
  ['the 32-bit pointer calls', 'syscall(0x40000000 + 39)', 38],
]
const canAsk = process.arch === 'x64' && isHere('perl')

describe.each(worldNames)('programs in the sandbox (%s)', name => {
  let world: World
  beforeAll(() => {
    world = openWorld(name)
    world.write('a.txt', 'a\n')
  })
  afterAll(() => world.close())

  it.each(PROGRAMS.filter(program => isHere(program.name)))('$name works', async ({ line, says }) => {
    const { stdout, stderr, exit } = await world.one(['/bin/bash', '-c', line])
    expect({ stdout, stderr, exit }).toMatchObject({ stdout: expect.stringMatching(says), exit: { code: 0 } })
  })

  it('work behind a stand-in, and start nothing where it refuses', async () => {
    const here = PROGRAMS.filter(program => isHere(program.name))
    const names = [...here.map(program => program.name), 'sh', 'env', 'cat', 'gunzip', 'setpriv', 'socat', 'mkdir']
    const lines = here.map(({ line }, at) => `mkdir d${at}; cd d${at}; cp ../a.txt .; (${line}); cd ..; echo ---`)
    const { stdout, exit } = await world.guarded(names, lines.join('\n'))
    const printed = stdout.split('---\n')
    here.forEach(({ says }, at) => expect(printed[at]).toMatch(says))
    expect(exit?.code).toBe(0)
    const refused = await world.guarded(
      names,
      'tar refused; echo $?; sh -c "mkdir refused; :"; ls -d refused a.txt 2>/dev/null; seq 40 | xargs -P9 -n1 cat refused',
    )
    expect(refused.stdout).toMatch(/^126\na\.txt\n/)
    expect(refused.stderr.split('\n').filter(line => line === 'toolwright: refused after 1')).toHaveLength(1)
    expect(refused.stderr.split('\n').filter(line => line.startsWith('toolwright: refused after'))).toHaveLength(42)
  })

  it.each(name === 'user' ? [] : [playing(maskedProc)])(
    'work behind a stand-in where /proc is masked',
    async played => {
      const line = 'git --version; node -p 1; git refused; echo $?; sh -c "cat refused"'
      const { stdout, stderr } = await world.guarded(['git', 'node', 'cat', 'sh', 'bash'], line, played)
      expect(stdout).toMatch(/^git version .*\n1\n126\n$/)
      expect(stderr).toMatch(/^toolwright: refused after \d\ntoolwright: refused after \d\n$/)
    },
  )

  it.each(canAsk ? CALLS : [])('are refused %s', async (_, call, errno) => {
    const { stdout } = await world.one(['perl', '-e', `print ${call} == -1 ? $!+0 : "OUT"`])
    expect(stdout).toBe(String(errno))
  })

  it('have a home directory and a place for temporary files of their own', async () => {
    const { stdout } = await world.sh('cd; pwd; touch x "$TMPDIR/y" && ls -A /tmp; id -un; hostname')
    expect(stdout).toMatch(/^\/tmp\/home\n[^]*y\n[^]*user\nsandbox\n$/)
    expect((await world.sh('ls -A ~')).stdout).toBe('')
  })
})
