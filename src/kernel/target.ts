import { ToolError } from './error.ts'

/** One http or https address as the WHATWG URL rules read it. The judged address is the one that is connected to. */
export interface Target {
  readonly href: string
  /** The origin that policy judges, without the default port: `https://example.com`, `http://[::1]:8080`. */
  readonly origin: string
  readonly protocol: 'http:' | 'https:'
  /** A name without its final dot, or an address without brackets. */
  readonly host: string
  readonly port: number
  readonly isAddress: boolean
  /** The user's own configuration names this server, so it may be on this machine or in a private network. */
  readonly isNamed?: true
}

const LONGEST_URL = 8_192
const HINT = 'Write an absolute address that begins with http:// or https://'

/** Parses a URL, relative to `base` if given; throws `invalid_input` unless it is a plain http or https address. */
export function readTarget(text: string, base?: string): Target {
  if (text.length > LONGEST_URL) throw refuse(`it is longer than ${LONGEST_URL} characters`)
  // The URL ends up in logs at both ends.
  if (text.includes('$ENV.')) throw refuse('it names a secret', 'Send secrets in a header; a URL is logged on its way')
  // The URL parser would read a host into `http:name`.
  if (base === undefined && !/^\s*https?:\/\//i.test(text)) throw refuse(schemeOf(text))
  const url = URL.parse(text, base)
  if (url === null) throw refuse('it is no valid URL')
  const { protocol } = url
  if (protocol !== 'http:' && protocol !== 'https:') throw refuse(schemeOf(url.href))
  if (url.username !== '' || url.password !== '')
    throw refuse('it holds a user name or password', 'Send credentials in an Authorization header')
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const isAddress = url.hostname.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(host)
  if (!isAddress && !isName(host)) throw refuse('its host is no valid name')
  if (url.port === '0') throw refuse('there is no port 0')
  const hostname = url.hostname.startsWith('[') ? url.hostname : host
  return {
    href: url.href,
    origin: `${protocol}//${hostname}${url.port === '' ? '' : `:${url.port}`}`,
    protocol,
    host,
    port: Number(url.port === '' ? usualPort(protocol) : url.port),
    isAddress,
  }
}

/** Returns the default port of a scheme, which an origin omits. */
const usualPort = (protocol: string): number => (protocol === 'http:' ? 80 : 443)

const isName = (host: string): boolean =>
  host.length <= 253 && host.split('.').every(label => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label))

const schemeOf = (text: string): string => {
  const [, scheme] = /^\s*([a-z][a-z0-9+.-]*):/i.exec(text) ?? []
  return scheme === undefined || /^https?$/i.test(scheme)
    ? 'it is not absolute'
    : `only http and https are fetched, not ${scheme.toLowerCase()}`
}

/** Omits the text from the message: it may hold a password, and may be of any length. */
const refuse = (what: string, hint = HINT): ToolError =>
  new ToolError('invalid_input', `Invalid URL: ${what}`, { hint, details: { reason: what } })

/** The API of github.com. */
export const GITHUB = 'https://api.github.com'
