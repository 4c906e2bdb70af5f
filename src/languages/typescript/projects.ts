import { projectIncludes } from './project-includes.ts'

/** How the files of a server that loads by project are divided. */
export interface Projects {
  /** One file of each project: opening it makes the server find the others. */
  readonly samples: readonly string[]
  /** Files of no project. */
  readonly loose: readonly string[]
}

const INSTALLED = /(?:^|\/)node_modules\//
const CONFIGURATION = /(?:^|\/)(?:tsconfig|jsconfig)\.json$/

/** Assigns each file to the nearest configuration above it, if that includes it. */
export function projectsOf(
  paths: Iterable<string>,
  isServed: (path: string) => boolean,
  read: (path: string) => string | undefined,
): Projects {
  // Installed packages are read by the projects that use them, and are not edited here.
  const all = [...paths].filter(path => !INSTALLED.test(path))
  const covers = new Map(
    all.filter(path => CONFIGURATION.test(path)).map(path => [folderOf(path), projectIncludes(path, read)] as const),
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
