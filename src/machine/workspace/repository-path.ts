/** Where a path lies in its repository or, below `modules`, in that of a submodule; undefined for any other path. */
function insideRepository(path: string): string | undefined {
  if (!path.startsWith('.git/')) return undefined
  return path.slice('.git/'.length).replace(/^modules\/.*?\/(?=(objects|logs|refs)\/|[^/]*$)/, '')
}

/** Reports whether a path is or holds an object, which git names by its content. */
export const isObjectPath = (path: string): boolean => /^objects(\/|$)/.test(insideRepository(path) ?? '')

/** Reports whether a path is an index of git. */
export const isIndexPath = (path: string): boolean => insideRepository(path) === 'index'

/** Reports whether a path only notes past commands of git. What follows in it contradicts nothing. */
export const isRecordPath = (path: string): boolean =>
  /^(logs(\/|$)|(ORIG_HEAD|FETCH_HEAD|AUTO_MERGE|MERGE_RR|[A-Z]+_EDITMSG)$)/.test(insideRepository(path) ?? '')

const ORDER = ['objects', 'logs', 'refs', 'packed-refs', 'sharedindex', 'index']

/** Orders what others lead to before what leads to it, so that a concurrent reader never misses an object. */
export function repositoryOrder(path: string): number {
  const inside = insideRepository(path)
  if (inside === undefined) return -1
  const at = ORDER.findIndex(name => inside === name || inside.startsWith(`${name}/`) || inside.startsWith(`${name}.`))
  return at < 0 ? ORDER.length : at
}
