import { projectCover } from './project-cover.ts'

/** How the files of a server that loads by project are divided. */
export interface Projects {
  /** One file of each project: the server finds the others when it is open. */
  readonly samples: readonly string[]
  /** Files of no project. */
  readonly loose: readonly string[]
}

const INSTALLED = /(?:^|\/)node_modules\//
const CONFIGURATION = /(?:^|\/)(?:tsconfig|jsconfig)\.json$/

/** Says which file belongs to which configuration: the nearest above it, where that includes it. */
export function projectsOf(
  paths: Iterable<string>,
  isServed: (path: string) => boolean,
  read: (path: string) => string | undefined,
): Projects {
  // What is installed is read by the projects that use it, and is no work of anybody here.
  const all = [...paths].filter(path => !INSTALLED.test(path))
  const covers = new Map(
    all.filter(path => CONFIGURATION.test(path)).map(path => [folderOf(path), projectCover(path, read)] as const),
  )
  const samples = new Map<string, string>()
  const loose: string[] = []
  for (const path of all.filter(isServed)) {
    const project = nearest(folderOf(path), covers)
    if (project === undefined || !covers.get(project)?.(path)) loose.push(path)
    else if (path < (samples.get(project) ?? '\uffff')) samples.set(project, path)
  }
  return { samples: [...samples.values()].toSorted(), loose: loose.toSorted() }
}

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

function nearest(folder: string, configured: ReadonlyMap<string, unknown>): string | undefined {
  for (let at = folder; ; at = folderOf(at)) {
    if (configured.has(at)) return at
    if (at === '') return undefined
  }
}
