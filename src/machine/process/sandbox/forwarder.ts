import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { STDERR } from './descriptors.ts'
import { OWN, PROXY_PORT } from './places.ts'

const PROXY = `http://127.0.0.1:${PROXY_PORT}`
const SOCKET = join(OWN, 'proxy.sock')

/** Names of the local machine for a command. */
export const OWN_NAMES = ['localhost', '127.0.0.1', '::1'] as const

/** Proxy variables in both cases, and Node's switch for its fetch. The command reaches its own servers directly. */
export function proxyVariables(outside: readonly string[] = []): Readonly<Record<string, string>> {
  const ownNames = OWN_NAMES.filter(name => !outside.includes(name)).join(',')
  return { ...VARIABLES, NO_PROXY: ownNames, no_proxy: ownNames }
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

/** Options for the forwarder's files: the socket, and Node without socat. */
export const forwarderOptions = (socket: string): string[] => [
  '--ro-bind',
  socket,
  SOCKET,
  ...(existsSync(SOCAT) ? [] : ['--ro-bind', process.execPath, NODE]),
]

/** Shell words that start the forwarder in the background: socat if installed, since Node starts more slowly. */
export function forwarderScript(programPlace: (program: string) => string): string {
  const command = existsSync(SOCAT)
    ? `${programPlace(SOCAT)} TCP-LISTEN:${PROXY_PORT},bind=127.0.0.1,fork,reuseaddr UNIX-CONNECT:${SOCKET}`
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

/** The same, but waits inside, for use if no outside process can signal the start. */
export const forwarderAwaited = (programPlace: (program: string) => string): string =>
  `until ${programPlace('/bin/grep')} -q 0100007F:${PORT} /proc/net/tcp; do ${programPlace('/bin/sleep')} 0.01; done`

/** A listening socket on the forwarder's port, as the kernel's table of a network namespace prints it. */
export const LISTENING = new RegExp(`0100007F:${PORT} \\S+ 0A `)
