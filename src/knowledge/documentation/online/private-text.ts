/** What is known of this machine, and removed wherever it stands. */
interface Here {
  /** The workspace and the home directory. */
  readonly places: readonly string[]
}

/**
 * Removes what tells about this machine or its user from a query: directories of absolute paths and of stack frames,
 * mail addresses, internal hosts and addresses. File names stay, because they identify an error.
 */
export function withoutPrivate(query: string, { places }: Here): string {
  const known = places.filter(place => place.length > 1).toSorted((one, other) => other.length - one.length)
  const started = known.reduce((text, place) => text.replaceAll(place, '/~'), query)
  return started
    .replace(/\[redacted:[^\]]*\]/g, ' ')
    .replace(/\bfile:\/\/+/gi, '/')
    .replace(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, ' ')
    .replace(WINDOWS_PATH, path => fileOf(path, '\\'))
    .replace(HOME_PATH, path => fileOf(path, '/'))
    .replace(ABSOLUTE_PATH, path => (PUBLIC.test(path) ? path : fileOf(path, '/')))
    .replace(/\/~\/?/g, ' ')
    .replace(FRAME_PATH, path => fileOf(path, '/'))
    .replace(/\b(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d{1,3}){2,3}\b/g, ' ')
    .replace(/\b(?:[\w-]+\.)+(?:internal|intranet|local|lan|corp|home)\b/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

const WINDOWS_PATH = /(?:\b[A-Za-z]:|\\\\[\w.$-]+)\\(?:[^\\/"'<>|:\n]{1,100}\\)*[^\\/\s"'<>|:()]*/g
/** A name in such a path may have a space. */
const HOME_PATH = /(?<![\w.:/-])\/(?:home|Users)\/[^/\n"'`:()]{1,60}(?:\/[^\s/"'`<>|:()]+)*\/?/g
const ABSOLUTE_PATH = /(?<![\w.:/-])~?(?:\/[^\s/"'`<>|:(),]+){2,}\/?/g
const FRAME_PATH = /(?<![\w@:/.-])(?:\.{0,2}\/)?(?:[\w@.-]+\/)+[\w.-]+\.\w{1,5}(?=:\d)/g

/** Places that are the same on every machine. */
const PUBLIC = /^\/(?:usr|etc|proc|dev|sys|bin|sbin|lib)\//

/** Packages are the same for everyone; of any other path only the file name is sent. */
function fileOf(path: string, separator: string): string {
  const names = path.split(separator).filter(name => name !== '')
  const at = names.findLastIndex(name => name === 'node_modules' || name === 'site-packages')
  return at >= 0 ? names.slice(at).join('/') : path.endsWith(separator) ? ' ' : (names.at(-1) ?? ' ')
}
