import { LANGUAGES } from '../../../languages/registry.ts'

const PARTS = /^([a-z][a-z0-9+.-]*):\/\/(?:[^/?#]*@)?(\[[^\]]*\]|[^/:?#]*)(:\d+)?(?=[/?#]|$)([^?#]*)/i

/**
 * Returns what is sent of a URL: of a public one its host and path without login and parameters, of any other one the
 * file name or else the protocol.
 */
function shownUrl(url: string): string {
  const [, scheme = '', host = '', port = '', path = ''] = PARTS.exec(url) ?? []
  const isWeb = /^(?:https?|wss?)$/i.test(scheme)
  if (isWeb && isOwnMachine(host)) return `${scheme}://${host}${port}/${nameIn(path)}`.replace(/\/$/, '')
  if (isWeb && !isInternal(host)) return `${scheme}://${host}${port}${path}`
  const name = nameIn(scheme === '' ? url.replace(/[?#].*$/s, '') : path)
  return name === '' && !isWeb ? scheme : name
}

const nameIn = (path: string): string =>
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
function withoutPrivateHosts(text: string): string {
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

/** What is known of this machine, and removed wherever it stands. */
interface Here {
  /** The workspace and the home directory. */
  readonly places: readonly string[]
}

/**
 * Removes what tells about this machine or its user from a query: directories of paths, mail addresses, internal hosts
 * and addresses, logins and parameters of URLs. File names stay, because they identify an error.
 */
export function withoutPrivate(query: string, { places }: Here): string {
  const privatePlaces = places.filter(place => place.length > 1).toSorted((one, other) => other.length - one.length)
  // A mark in place of a space, so that a path with a secret in it is still one path.
  const markedText = query.replace(/[\uE000-\uE002]/g, ' ').replace(/\[redacted:[^\]]*\]/g, '\uE000')
  const keptTexts: string[] = []
  const keep = (text: string): string => (text.trim() === '' ? ' ' : `\uE001${keptTexts.push(text) - 1}\uE002`)
  const withoutPlaces = privatePlaces
    .reduce((text, place) => text.replaceAll(place, '/~'), markedText)
    .replace(/\bfile:\/\/+(?=[A-Za-z]:)/gi, '')
    .replace(/\bfile:\/\/+/gi, '/')
    .replace(ADDRESS, url => keep(shownUrl(url)))
    .replace(PUBLIC_PATH, keep)
    .replace(REMOTE_PATH, (_, path: string) => fileOf(path))
    .replace(QUOTED_PATH, (path, _quote, segments: string) => (/[\\/]/.test(segments) ? fileOf(path) : path))
    .replace(PATH, fileOf)
    .replace(RELATIVE_PATH, fileOf)
    .replace(/\/~\/?/g, ' ')
  return withoutPrivateHosts(withoutPlaces)
    .replace(/\uE001(\d+)\uE002/g, (_, index) => keptTexts[Number(index)] ?? ' ')
    .replace(/[\uE000-\uE002]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** A bundler puts the name of a layer in parentheses into its addresses. */
const ADDRESS = /\b[a-z][a-z0-9+.-]*:\/\/(?:[^\s"'`<>|(),\\]|\([\w@.-]*\)|,(?=\S))*/gi

/** One word of a name. A router puts folder names in parentheses. */
const WORD = String.raw`(?:[^\s/\\"'\x60<>|:(),;\uE001\uE002]|[,;](?=[^\s"'])|\([\w@.-]*\)(?=[/\\]))+`
/** Words of a sentence about a path, not of a folder's name. */
const SENTENCE = '(?:is|was|are|were|has|not|cannot|failed|fails|does|did|could|by|from|because|when|while|but)'
const MORE = String.raw`(?: +(?!${SENTENCE}\b)${WORD})`
const EXTENSIONS = LANGUAGES.flatMap(({ extensions }) => extensions).join('|')
const ENDING = String.raw`\.(?:${EXTENSIONS}|json[c5l]?|md|txt|ya?ml|toml|xml|html?|sql|sh|log|csv|pdf|docx?|xlsx?|pptx?|dll|exe|so|jar|zip|env|lock|key|pem)`
const FILE = String.raw`[^\s/\\:"'\x60]*${ENDING}(?![\w/\\-]|\.\w)`
/** A folder's name may have spaces, because a separator follows it. */
const FOLDERS = String.raw`(?:(?!${FILE} )${WORD}${MORE}{0,5}[/\\]+)`
/** The name at the end may have spaces only if it ends like a file. */
const LAST = String.raw`(?:(?!${FILE})${WORD}${MORE}{0,2}? +${FILE}|${WORD})?`
/** Where a path begins: not inside a word, unless an option such as `-I` is before it. */
const BEGIN = String.raw`(?:(?<![\w.~/\\$%}\uE002])|(?<=(?:^|\s)-[A-Za-z]))`

/** Places that are the same on every machine. */
const PUBLIC_PATH = new RegExp(
  String.raw`${BEGIN}\/(?:etc|proc|dev|sys|s?bin|lib(?:64)?|usr\/(?:s?bin|lib(?:64|exec)?|share|include|local\/(?:bin|etc|lib|share)))(?:\/${WORD})+`,
  'g',
)
/** `user@host:path`, as `scp` and git write it. */
const REMOTE_PATH = /[\w.+-]+@[\w-]+(?:\.[\w-]+)*:(?![\s\d])([^\s"'`<>|()]+)/g
const QUOTED_PATH =
  /(?<=(["'`]))(?:~[\w.-]*[\\/]|\.{1,2}[\\/]|[\\/]+|[A-Za-z]:[\\/])((?:(?!\1|:\s)[^\n\uE001\uE002])+)(?=\1)/g
/** Of a drive, a share, a variable or home, of this directory, or absolute with two names at least. */
const PATH = new RegExp(
  String.raw`${BEGIN}(?:(?:[A-Za-z]:[\\/]+|\\\\+(?:[?.]\\+(?:[A-Za-z]:\\+)?)?|(?:%\w+%|\$\{?\w+\}?|~[\w.-]*|\.{1,2})[\\/]+)${FOLDERS}*|\/{1,2}${FOLDERS}+)${LAST}`,
  'g',
)
/** Surely a path, because it has two folders and ends like a file, or because a line number follows. */
const RELATIVE_PATH = new RegExp(
  String.raw`(?<![^\s"'\x60()\[{<=:,;|!])(?:${WORD}[/\\]+)+(?:(?<=[/\\][^/\\]+[/\\]+)${FILE}|[\w.-]+\.\w{1,5}(?=:\d))`,
  'g',
)

const KNOWN_FILES =
  /^(?:Dockerfile|Makefile|Gemfile|Rakefile|Procfile|Jenkinsfile|Vagrantfile|Podfile|Cargo|LICENSE|README)$/
const PACKAGES = new Set(['node_modules', 'site-packages'])

/**
 * Returns what is sent of a path. Packages are the same for everyone; of any other path only the file name is sent. A
 * last name without an ending may be a folder, such as a user's or a customer's.
 */
function fileOf(path: string): string {
  const names = path.split(/[\\/]+/).filter(name => name !== '')
  const at = names.findLastIndex(name => PACKAGES.has(name))
  if (at >= 0) return names.slice(at).join('/')
  const [folder, last = ''] = names.slice(-2)
  if (names.length < 2 || /[\\/]$/.test(path)) return ' '
  const isFile = /\.[A-Za-z]\w{0,9}[.!?,;\]}]*(?:\s|$)/.test(last) || KNOWN_FILES.test(last) || folder === 'bin'
  return isFile && !last.endsWith('.git') ? last : ' '
}
