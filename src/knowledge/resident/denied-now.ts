import { deniedPlaces, deniedVersion } from '../../machine/state/denied-places.ts'

const LOOK_MS = 20

/** Reports whether a rule denies a path, by what is noted for the workspace at that moment. */
export function deniedNow(
  state: string,
  deniedBy: (globs: readonly string[]) => (path: string) => boolean,
): (path: string) => boolean {
  let [version, looked] = ['', -Infinity]
  let isDenied = (_path: string): boolean => false
  return path => {
    const now = performance.now()
    if (now - looked > LOOK_MS) {
      looked = now
      const current = deniedVersion(state)
      if (current !== version) isDenied = deniedBy(deniedPlaces(state))
      version = current
    }
    return isDenied(path)
  }
}
