import { LANGUAGES } from '../../../languages/registry.ts'
const PARTS = /^([a-z][a-z0-9+.-]*):\/\/(?:[^/?#]*@)?(\[[^\]]*\]|[^/:?#]*)(:\d+)?(?=[/?#]|$)([^?#]*)/i

/**
 * Returns what is sent of a URL: of a public one its host and path without login and parameters, of any other one the
 * file name or else the protocol. `fileOf` gives the file name of a path.
 */
export function shownUrl(url: string, fileOf: (path: string) => string): string {
  const [, scheme = '', host = '', port = '', path = ''] = PARTS.exec(url) ?? []
  const isWeb = /^(?:https?|wss?)$/i.test(scheme)
  if (isWeb && isOwnMachine(host)) return `${scheme}://${host}${port}/${nameIn(path, fileOf)}`.replace(/\/$/, '')
  if (isWeb && !isInternal(host)) return `${scheme}://${host}${port}${path}`
  const name = nameIn(scheme === '' ? url.replace(/[?#].*$/s, '') : path, fileOf)
  return name === '' && !isWeb ? scheme : name
}

const nameIn = (path: string, fileOf: (path: string) => string): string =>
  // With a folder before it, the name at the top of a host is one of a path too.
  fileOf(`/./${path.replace(/(?::\d+)+$/, '')}`).trim()

/** Every machine calls itself so. */
const isOwnMachine = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])$/i.test(host)

const INNER = 'internal|intranet|local|localdomain|lan|corp|home|private|svc'
const INNER_NAME = new RegExp(`(?:^|\\.)(?:${INNER}|home\\.arpa)\\.?$|\\.(?:corp|intranet|internal|lan)\\.`, 'i')

/** A name without a dot is known to the own network only, and so is an address of version 6, as good as always. */
const isInternal = (host: string): boolean =>
  !host.includes('.') || host.startsWith('[') || INNER_NAME.test(host) || withoutPrivateHosts(host).trim() === ''

/** Removes mail addresses, private network addresses and names of internal hosts. */
export function withoutPrivateHosts(text: string): string {
  return text
    .replace(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, ' ')
    .replace(
      /(?<![\w.])(?:::ffff:)?(?:10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))(?:\.\d{1,3}){2,3}(?:\/\d{1,2})?(?![\w-])/gi,
      found => (found.replace(/^::ffff:|\/\d+$/gi, '').split('.').length === 4 ? ' ' : found),
    )
    .replace(
      /(?<![\w:])\[?f(?:[cd][0-9a-f]|e[89a-f])[0-9a-f](?=[0-9a-f:]*:[0-9a-f]*:):[0-9a-f:]*(?:%\w+)?(?:\/\d{1,3})?\]?/gi,
      ' ',
    )
    .replace(/(?<![\w:])(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}(?![\w:])/gi, ' ')
    .replace(INNER_HOST, ' ')
    .replace(FAILED_HOST, ' ')
}

const PROPERTIES = LANGUAGES.flatMap(({ properties = [] }) => properties)
  .map(name => name.replaceAll('.', String.raw`\.`))
  .join('|')
const INNER_HOST = new RegExp(
  `(?<![\\w.])(?!(?:env\\.local|${PROPERTIES})\\b)(?:[\\w-]+\\.)+(?:(?:${INNER})|home\\.arpa|(?:corp|intranet|lan)(?:\\.[\\w-]+)+)(?![\\w-]|\\.\\w)`,
  'gi',
)
/** A name without a dot is a host if the network could not reach it. */
const FAILED_HOST =
  /(?<=\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH) )(?!localhost\b)[A-Za-z][\w-]*(?=:\d|\s|$)(?<!\s)/g
