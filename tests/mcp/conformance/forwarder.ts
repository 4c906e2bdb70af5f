import { once } from 'node:events'
import { createServer, request as send } from 'node:http'

/** Forwards requests to a server and adds its token: the suite cannot send one. Leaves all else as it is, also other names in Host. */
export async function forwardTo(
  url: string,
  token: string,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const { hostname, port } = new URL(url)
  const server = createServer((incoming, outgoing) => {
    const { method, url: path } = incoming
    // Our server looks for its own port in these; the suite sends that of the forwarder.
    const here = ([name, value]: [string, unknown]) => [
      name,
      typeof value === 'string' && NAMES_PORT.has(name) ? value.replace(`:${portOf()}`, `:${port}`) : value,
    ]
    const headers = {
      ...Object.fromEntries(Object.entries(incoming.headers).map(here)),
      authorization: `Bearer ${token}`,
    }
    const onward = send({ hostname, port, method, path, headers }, answer => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  const portOf = (): number => Object(server.address()).port
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: portOf(),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const NAMES_PORT: ReadonlySet<string> = new Set(['host', 'origin'])
