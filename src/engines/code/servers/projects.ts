/** How the files of a server that loads by project are divided. */
export interface Projects {
  /** One file of each project, by the directory of its configuration. */
  readonly samples: ReadonlyMap<string, string>
  /** Files of no project. */
  readonly loose: readonly string[]
}

const CONFIGURATION = /(?:^|\/)(?:tsconfig|jsconfig)\.json$/

/** Says which file belongs to which configuration: the nearest above it. */
export function projectsOf(paths: Iterable<string>, isServed: (path: string) => boolean): Projects {
  const all = [...paths]
  const configured = new Set(all.filter(path => CONFIGURATION.test(path)).map(folderOf))
  const samples = new Map<string, string>()
  const loose: string[] = []
  for (const path of all) {
    if (!isServed(path)) continue
    const project = nearest(folderOf(path), configured)
    if (project === undefined) loose.push(path)
    else if (isBetter(path, samples.get(project))) samples.set(project, path)
  }
  return { samples, loose: loose.toSorted() }
}

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

function nearest(folder: string, configured: ReadonlySet<string>): string | undefined {
  for (let at = folder; ; at = folderOf(at)) {
    if (configured.has(at)) return at
    if (at === '') return undefined
  }
}

/** Sources rather than configuration and tests: they are what a project includes. */
const isBetter = (path: string, than: string | undefined): boolean => than === undefined || rank(path) < rank(than)

const rank = (path: string): string =>
  `${/\.(config|d)\.[^/]+$/.test(path) ? 1 : 0}${/(^|\/)src\//.test(path) ? 0 : 1}${/\.[cm]?tsx?$/.test(path) ? 0 : 1}${path}`
