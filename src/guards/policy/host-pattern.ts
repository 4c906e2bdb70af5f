import type { ToolError } from '../../kernel/error.ts'
import { once } from '../../kernel/once.ts'
import { quote, refusedText } from './foreign-spelling.ts'

/**
 * A compiled host rule: `example.com`, `*.example.com` (names below it), `*`, each with an optional `:port`, and with
 * `http://` or `https://` before it to mean only that scheme.
 */
interface HostPattern {
  /** Reports a match. Without a port, only the default ports of http and https match. */
  matches(origin: string): boolean
  /** For refusals: matches the host on any port, unless the rule names one. */
  touches(origin: string): boolean
}

const rule = once(() => /^(?:(https?):\/\/)?(\*|(?:\*\.)?[\p{L}\p{M}\p{N}._-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/iu)

/** Compiles a host rule; throws `invalid_input` for anything but a host. */
export function compileHost(text: string): HostPattern {
  const [, scheme, host = '', port] = rule().exec(text) ?? []
  const name = host === '*' ? '*' : canonicalHost(host.replace(/^\*\./, ''))
  if (host === '' || name === undefined || /^\.|\.\./.test(name))
    throw refusedHost(text, 'it is not a host name', spellingOf(text))
  const below = host.startsWith('*.')
  if (below && isAddress(name)) throw refusedHost(text, 'an address has no names below it', name)
  if (port !== undefined && (Number(port) === 0 || Number(port) > 65_535))
    throw refusedHost(text, `there is no port ${port}`)
  const protocol = scheme && `${scheme.toLowerCase()}:`
  const sameHost = (url: URL): boolean => {
    if (protocol !== undefined && url.protocol !== protocol) return false
    const actual = url.hostname.replace(/\.$/, '')
    if (name === '*') return true
    return below ? actual.endsWith(`.${name}`) : actual === name
  }
  const samePort = (url: URL): boolean => port === undefined || Number(port) === portOf(url)
  return {
    matches: origin => {
      const url = parseOrigin(origin)
      return (
        url !== undefined && sameHost(url) && (port === undefined && name !== '*' ? url.port === '' : samePort(url))
      )
    },
    touches: origin => {
      const url = parseOrigin(origin)
      return url === undefined || (sameHost(url) && samePort(url))
    },
  }
}

/** Parses an origin without credentials or path; a bare host means https. */
export function parseOrigin(origin: string): URL | undefined {
  const url = URL.parse(origin.includes('://') ? origin : `https://${origin}`)
  return url === null || url.username !== '' || url.password !== '' || url.hostname === '' ? undefined : url
}

const canonicalHost = (host: string): string | undefined => parseOrigin(host)?.hostname.replace(/\.$/, '')

const portOf = (url: URL): number => Number(url.port === '' ? (url.protocol === 'http:' ? 80 : 443) : url.port)

const isAddress = (name: string): boolean => /^\[|^[\d.]+$/.test(name)

/** Returns the pattern that was probably meant: `*.evil.com` for `.evil.com`, `x.com` for `domain:x.com/path`. */
function spellingOf(text: string): string | undefined {
  const [, below, host] =
    /^\s*(?:net:|domain:)?(?:[a-z]+:\/\/)?(\*?\.|\*)?([\p{L}\p{N}_-][\p{L}\p{N}_.-]*(?::\d+)?)(?:\/.*)?\s*$/iu.exec(
      text,
    ) ?? []
  if (host === undefined || host.includes('..')) return undefined
  const spelling = below === undefined ? host : `*.${host}`
  return spelling === text ? undefined : spelling
}

const refusedHost = (text: string, what: string, spelling?: string): ToolError =>
  refusedText(
    `Host ${quote(text)} is refused: ${what}`,
    spelling,
    `write ${spelling === undefined ? '' : `'${spelling}', or another `}example.com, *.example.com or '*', with a port unless it is the default: example.com:8443`,
  )
