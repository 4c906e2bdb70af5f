import { ToolError } from '../../kernel/error.ts'
import { webRefusal } from '../../machine/web/web-error.ts'
import { getFrom } from './api.ts'
import type { Hub } from './hub.ts'
import { parentOf, repositoryPath } from './repository-path.ts'
import { listedTree, treeOf, type RepositoryTree } from './repository-tree.ts'
import type { CallParts } from './send.ts'
import { MOST_BYTES, type RepositoryBytes, type RepositoryEntry, type RepositorySource } from './types.ts'

/** Opens the repository of a connection at the current commit of its ref. Denied files are missing. */
export async function openRepository(
  hub: Hub,
  call: CallParts,
  isDenied: (path: string) => boolean,
): Promise<RepositorySource> {
  const version = await commitOf(hub, call)
  const tree = version === '' ? listedTree([]) : await treeOf(hub, version, call)
  return {
    version,
    files: async () => (await tree.all()).filter(({ kind, path }) => kind === 'file' && !isDenied(path)),
    async hidden() {
      return (await tree.all()).flatMap(({ kind, path }) => (kind === 'file' && isDenied(path) ? [path] : []))
    },
    async directory(path) {
      if (isDenied(path)) throw webRefusal(`a rule denies reading '${path}'`)
      const inside = await tree.inside(path)
      if (inside) return inside.filter(entry => !isDenied(entry.path))
      if (!(await tree.entry(path))) throw missing(hub, path)
      throw new ToolError('not_a_directory', `'${path}' is not a directory`, { hint: 'Read it as a file' })
    },
    async read(path, maxBytes = MOST_BYTES) {
      return blobOf(hub, await fileAt(hub, tree, path, call, isDenied), maxBytes, call)
    },
  }
}

/** Returns the commit of the connection's ref; empty if the repository has no commits. */
async function commitOf(hub: Hub, call: CallParts): Promise<string> {
  const { repository, ref } = hub.connection
  const refPath = (ref ?? 'HEAD').split('/').map(encodeURIComponent).join('/')
  try {
    const { bytes } = await getFrom(
      hub,
      {
        path: `/repos/${repository}/commits/${refPath}`,
        what: ref === undefined ? repository : `'${ref}' in ${repository}`,
        accept: 'application/vnd.github.sha',
        maxBytes: 1_000,
        mayChange: true,
        isDoor: true,
      },
      call,
    )
    const sha = bytes.toString('latin1').trim()
    if (/^[0-9a-f]{40,64}$/.test(sha)) return sha
  } catch (cause) {
    if (cause instanceof ToolError && cause.code === 'conflict') return ''
    throw cause
  }
  throw new ToolError('io', `GitHub names no commit for ${repository}`, {
    hint: 'Check that the address of the connection is that of a GitHub API',
  })
}

const MOST_LINKS = 8

/** Resolves the file at a path, through links within the repository. */
async function fileAt(
  hub: Hub,
  tree: RepositoryTree,
  given: string,
  call: CallParts,
  isDenied: (path: string) => boolean,
): Promise<RepositoryEntry> {
  let path = given
  for (let links = 0; links <= MOST_LINKS; links++) {
    // Do not name a link's target to a caller that may not read it.
    if (isDenied(path)) throw webRefusal(`a rule denies reading '${given}'`)
    const entry = await tree.entry(path)
    if (!entry) throw missing(hub, path)
    if (entry.kind === 'directory')
      throw new ToolError('not_a_file', `'${path}' is a directory`, { hint: 'List it instead' })
    if (entry.kind === 'file') return entry
    const { bytes } = await blobOf(hub, entry, LONGEST_LINK, call)
    path = linkTarget(path, bytes.toString('utf8'))
  }
  throw new ToolError('not_found', `'${given}' leads through too many links`)
}

const LONGEST_LINK = 4_096

function linkTarget(path: string, target: string): string {
  const names: string[] = target.startsWith('/')
    ? ['..']
    : parentOf(path)
        .split('/')
        .filter(name => name !== '')
  for (const name of target.split('/').filter(one => one !== '' && one !== '.')) {
    if (name === '..' && names.length > 0 && names.at(-1) !== '..') names.pop()
    else names.push(name)
  }
  return repositoryPath(names.join('/'))
}

/** Returns the content of a blob, or its beginning if that is enough. Whole blobs are cached by hash. */
async function blobOf(hub: Hub, entry: RepositoryEntry, maxBytes: number, call: CallParts): Promise<RepositoryBytes> {
  const { path, sha, size } = entry
  const cachedBytes = hub.blobs.get(sha)
  if (cachedBytes) return { bytes: cachedBytes, size: cachedBytes.length }
  const { bytes, truncated } = await getFrom(
    hub,
    {
      path: `/repos/${hub.connection.repository}/git/blobs/${sha}`,
      what: `'${path}' in ${hub.connection.repository}`,
      accept: 'application/vnd.github.raw+json',
      maxBytes,
    },
    call,
  )
  if (!truncated) hub.blobs.set(sha, bytes, bytes.length + 200)
  return { bytes, size: truncated ? size : bytes.length }
}

const missing = ({ connection }: Hub, path: string): ToolError =>
  new ToolError('not_found', `'${path}' was not found in ${connection.repository}`, {
    hint: 'List the directory to see what is there; names are case-sensitive',
  })
