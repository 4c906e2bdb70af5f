import type { IncomingMessage } from 'node:http'
import { refuse } from './refusal.ts'

/**
 * Refuses a request that a page of another site could have made the browser send, or that does not mean this server:
 * a name that resolves to this machine is not enough (DNS rebinding).
 */
export function checkOrigin({ url = '', rawHeaders }: IncomingMessage, port: number): Response | undefined {
  const here = [`127.0.0.1:${port}`, `localhost:${port}`]
  const hosts = valuesOf(rawHeaders, 'host')
  const origins = valuesOf(rawHeaders, 'origin')
  const sites = valuesOf(rawHeaders, 'sec-fetch-site')
  // With `POST http://other/x` the host of the request line would count, and not the header.
  if (!url.startsWith('/'))
    return refuse(400, {
      code: 'wrong_request_line',
      message: 'The request line must have a path, not a whole address',
    })
  if (hosts.length !== 1 || !here.includes(hosts[0]?.toLowerCase() ?? ''))
    return refuse(421, {
      code: 'wrong_host',
      message: 'The Host header does not name this server',
      hint: hintFor(here),
    })
  if (origins.some(origin => !here.some(host => origin.toLowerCase() === `http://${host}`)))
    return refuse(403, { code: 'wrong_origin', message: 'Pages of other sites may not call this server' })
  // A link from elsewhere may open the page, which shows nothing without a token.
  if (sites.some(site => site !== 'same-origin' && site !== 'none') && PROTECTED.test(url))
    return refuse(403, { code: 'wrong_origin', message: 'Pages of other sites may not call this server' })
  return undefined
}

const PROTECTED = /^\/(v1\/|mcp(?![^/?]))/

const hintFor = ([first, second]: readonly string[]): string => `Use http://${first} or http://${second}`

/** Node joins or drops repeated headers; each of them counts here. */
const valuesOf = (raw: readonly string[], name: string): readonly string[] =>
  raw.filter((_, at) => at % 2 === 1 && raw[at - 1]?.toLowerCase() === name)
