import { createRequire } from 'node:module'
import { dirname } from 'node:path'

/** The folder of an installed package, resolved from one that depends on it; undefined if it is missing. */
export function packageFolder(name: string, from?: string): string | undefined {
  try {
    const here = createRequire(import.meta.url)
    const resolve = from === undefined ? here : createRequire(here.resolve(`${from}/package.json`))
    return dirname(resolve.resolve(`${name}/package.json`))
  } catch {
    return undefined
  }
}
