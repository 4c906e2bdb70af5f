// Runs inside the sandbox and tries to get out; prints what each attempt came to.
import { spawnSync } from 'node:child_process'
import dgram from 'node:dgram'
import dns from 'node:dns/promises'
import fs from 'node:fs'
import net from 'node:net'

const { tcp, udp, socket, abstract, outside, home, realHome, realFile, pid, secret, hidden, canary } = JSON.parse(
  process.argv[2] ?? '{}',
)

/** @type {Record<string, () => unknown>} */
const attempts = {
  'TCP to the host': () => connected({ host: '127.0.0.1', port: tcp }),
  'TCP to the world': () => connected({ host: '192.0.2.1', port: 80 }),
  UDP: () => sent(udp),
  'a unix socket outside': () => connected({ path: socket }),
  'an abstract socket': () => connected({ path: `\0${abstract}` }),
  DNS: () => dns.lookup('example.com'),
  'reading a file outside': () => fs.readFileSync(outside, 'utf8'),
  'writing a file outside': () => fs.writeFileSync(`${outside}.new`, 'x'),
  'writing to /usr': () => fs.writeFileSync('/usr/toolwright', 'x'),
  'writing to /etc': () => fs.writeFileSync('/etc/toolwright', 'x'),
  'writing to /': () => fs.writeFileSync('/toolwright', 'x'),
  'writing to /dev': () => fs.writeFileSync('/dev/toolwright', 'x'),
  'reading the home directory': () => fs.readFileSync(`${home}/secret.txt`, 'utf8'),
  'reading the real home directory': () => fs.readFileSync(`${realHome}/${realFile}`, 'utf8'),
  '/etc/shadow': () => fs.readFileSync('/etc/shadow'),
  'a process of the host': () => fs.readFileSync(`/proc/${pid}/cmdline`),
  'killing a process of the host': () => process.kill(pid, 0),
  'the root of the first process': () => fs.readFileSync(`/proc/1/root${outside}`),
  'our own root': () => fs.readFileSync(`/proc/self/root${outside}`),
  'the working directory of the first process': () => fs.readFileSync(`/proc/1/cwd${outside}`),
  'a link to the outside': () => (fs.symlinkSync(outside, 'link'), fs.readFileSync('link')),
  'a link to the outside, written': () => fs.writeFileSync('link', 'x'),
  'a hidden file': () => fs.readFileSync(hidden),
  'a hidden file, moved away': () => fs.renameSync(hidden, 'moved'),
  'a hidden file, removed': () => fs.rmSync(hidden),
  'a new user namespace': () => ran('unshare', '--user', 'true'),
  'a new mount namespace': () => ran('unshare', '--mount', 'true'),
  'a mount': () => ran('mount', '-t', 'tmpfs', 'none', '/tmp'),
  'another root': () => ran('chroot', '/tmp', 'true'),
  'a namespace of the first process': () => ran('nsenter', '--target', '1', '--mount', 'true'),
  'a sysctl': () => fs.writeFileSync('/proc/sys/kernel/core_pattern', '|/bin/false'),
  'any sysctl': () => firstWritable('/proc/sys'),
  'the kernel trigger': () => fs.writeFileSync('/proc/sysrq-trigger', 'h'),
  'files of the kernel': () => firstWritable('/proc', /^(\d+|self|thread-self|net|tty)$/),
  'the memory of the kernel': () => fs.readFileSync('/proc/timer_list'),
  'the kernel log': () => ran('dmesg'),
  'a device': () => ran('mknod', 'device', 'c', '1', '1'),
  'a setuid file': () => fs.writeFileSync('setuid', '', { mode: 0o4755 }) ?? bits('setuid'),
  'a setuid bit': () => (fs.writeFileSync('plain', ''), fs.chmodSync('plain', 0o4755)),
  'a left-over descriptor': () => leftOver(),
  'a descriptor of the first process': () => fs.readFileSync('/proc/1/fd/60'),
  'the environment of the first process': () => found(fs.readFileSync('/proc/1/environ', 'utf8')),
  'our environment': () => found(JSON.stringify(process.env), secret),
  'the arguments of the sandbox': () => found(fs.readFileSync('/proc/1/cmdline', 'utf8'), '--ro-bind'),
  'the host name': () => found(fs.readFileSync('/proc/sys/kernel/hostname', 'utf8'), canary),
}

/** @type {Record<string, string>} */
const results = {}
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    const got = await attempt()
    results[name] = `OUT: ${String(got ?? 'done').slice(0, 200)}`
  } catch (error) {
    results[name] = error instanceof Error ? `${/** @type {any} */ (error).code ?? error.message}` : String(error)
  }
}
const told = fs.readFileSync('/proc/self/status', 'utf8')
const facts = Object.fromEntries(
  [...told.matchAll(/^(Cap\w+|NoNewPrivs|Seccomp|Uid|Gid|Groups):\s*(.*)$/gm)].map(m => [m[1], m[2]?.trim()]),
)
const interfaces = fs
  .readFileSync('/proc/net/dev', 'utf8')
  .split('\n')
  .slice(2)
  .map(line => line.split(':')[0]?.trim())
  .filter(Boolean)
const processes = fs.readdirSync('/proc').filter(name => /^\d+$/.test(name)).length
console.log(JSON.stringify({ results, facts, interfaces, processes, env: Object.keys(process.env).toSorted() }))

/** @param {net.NetConnectOpts} to */
function connected(to) {
  return new Promise((resolve, reject) => {
    const connection = net.connect(to, () => resolve(`connected to ${JSON.stringify(to)}`))
    connection.on('error', reject)
    setTimeout(() => reject(new Error('no answer')), 1500).unref()
  })
}

/** @param {number} port */
function sent(port) {
  const client = dgram.createSocket('udp4')
  return new Promise((resolve, reject) => {
    client.on('message', message => resolve(message.toString()))
    client.on('error', reject)
    client.send('hello', port, '127.0.0.1', error => error && reject(error))
    setTimeout(() => reject(new Error('no answer')), 500)
  }).finally(() => client.close())
}

/** @param {string[]} argv */
function ran(program = '', ...argv) {
  const { status, stderr, error } = spawnSync(program, argv, { encoding: 'utf8' })
  if (error) throw error
  if (status !== 0) throw new Error(stderr.trim() || `ended with ${status}`)
  return `${program} ran`
}

/** @param {string} directory */
function firstWritable(directory, except = /^$/) {
  for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
    const path = `${directory}/${entry.name}`
    if (except.test(entry.name) || entry.isSymbolicLink()) continue
    if (entry.isDirectory()) {
      try {
        return firstWritable(path)
      } catch {
        continue
      }
    }
    try {
      fs.closeSync(fs.openSync(path, 'r+'))
      return path
    } catch {
      continue
    }
  }
  throw new Error('none')
}

/** @param {string} path */
function bits(path) {
  if ((fs.statSync(path).mode & 0o6000) === 0) throw new Error('not set')
  return 'set'
}

function leftOver() {
  for (const fd of fs
    .readdirSync('/proc/self/fd')
    .map(Number)
    .filter(one => one > 2)) {
    const target = (() => {
      try {
        return fs.readlinkSync(`/proc/self/fd/${fd}`)
      } catch {
        return ''
      }
    })()
    if (target.includes('left-open')) return target
  }
  throw new Error('none')
}

/** @param {string} text */
function found(text, needle = 'SECRET_OF_OURS') {
  if (text.includes(needle)) return text
  throw new Error('clean')
}
