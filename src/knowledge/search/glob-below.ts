/**
 * Returns a glob below the searched directory for one that gives all of the workspace's path, which a caller may know as
 * well. Such a glob reaches the search as `./home/ann/shop/src/*.ts`.
 */
export function globBelow(root: string, directory: string, glob: string): string {
  const below = directory.startsWith(root) ? directory.slice(root.length) : `/${directory}`
  const place = `${root}${below}`.replace(/\/\.?$/, '')
  const [mark, rest] = glob.startsWith('!') ? ['!', glob.slice(1)] : ['', glob]
  // What is directly in the directory stays only there.
  return rest.startsWith(`.${place}/`) ? `${mark}./${rest.slice(place.length + 2)}` : glob
}
