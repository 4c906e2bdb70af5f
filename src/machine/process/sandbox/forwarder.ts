import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { STDERR } from './descriptors.ts'
import { OWN, PROXY_PORT } from './places.ts'

const PROXY = `http://127.0.0.1:${PROXY_PORT}`
const SOCKET = join(OWN, 'proxy.sock')

/** What a command calls the machine that it runs on. */
export const OWN_NAMES = ['localhost', '127.0.0.1', '::1'] as const

/** The usual names, in both cases, and Node's own switch for its fetch. Servers of the command itself are reached directly. */
export function proxyVariables(outside: readonly string[] = []): Readonly<Record<string, string>> {
  const own = OWN_NAMES.filter(name => !outside.includes(name)).join(',')
  return { ...VARIABLES, NO_PROXY: own, no_proxy: own }
}

const VARIABLES = {
  HTTP_PROXY: PROXY,
  HTTPS_PROXY: PROXY,
  ALL_PROXY: PROXY,
  http_proxy: PROXY,
  https_proxy: PROXY,
  all_proxy: PROXY,
  NODE_USE_ENV_PROXY: '1',
  npm_config_proxy: PROXY,
  npm_config_https_proxy: PROXY,
}

const PORT = PROXY_PORT.toString(16).toUpperCase().padStart(4, '0')
const SOCAT = '/usr/bin/socat'
const NODE = join(OWN, 'node')

/** What the forwarder needs to see: the socket, and Node where there is no socat. */
export const forwarderOptions = (socket: string): string[] => [
  '--ro-bind',
  socket,
  SOCKET,
  ...(existsSync(SOCAT) ? [] : ['--ro-bind', process.execPath, NODE]),
]

/** The shell words that start the forwarder in the background: socat where there is one, since Node is slower to start. */
export function forwarderScript(own: (program: string) => string): string {
  const command = existsSync(SOCAT)
    ? `${own(SOCAT)} TCP-LISTEN:${PROXY_PORT},bind=127.0.0.1,fork,reuseaddr UNIX-CONNECT:${SOCKET}`
    : `${NODE} -e '${NODE_FORWARDER}'`
  return `${command} </dev/null >/dev/null 2>&1 ${STDERR}>&- &`
}

const NODE_FORWARDER = [
  'const n=require("node:net")',
  `n.createServer({allowHalfOpen:true},a=>{const b=n.connect({path:"${SOCKET}",allowHalfOpen:true})`,
  'const end=()=>{a.destroy();b.destroy()}',
  'a.on("error",end);b.on("error",end);a.on("close",()=>b.destroy());b.on("close",()=>a.destroy())',
  `a.pipe(b);b.pipe(a)}).listen(${PROXY_PORT},"127.0.0.1")`,
].join(';')

/** The same, waited for inside, where nobody outside can say when to begin. */
export const forwarderAwaited = (own: (program: string) => string): string =>
  `until ${own('/bin/grep')} -q 0100007F:${PORT} /proc/net/tcp; do ${own('/bin/sleep')} 0.01; done`

/** A listening socket on the forwarder's port, in the table that the kernel prints of a network namespace. */
export const LISTENING = new RegExp(`0100007F:${PORT} \\S+ 0A `)
