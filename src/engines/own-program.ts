import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Programs of ours that run beside the caller, each an entry of the build: where its source lies from here. */
const SOURCES = { resident: 'resident/main.ts', 'facts-worker': 'index/parsing/worker.ts' } as const

/** The file that Node runs for a program of ours: its source where we run from sources, else its part of the build. */
export function ownProgram(name: keyof typeof SOURCES): string {
  const here = fileURLToPath(import.meta.url)
  if (here.endsWith('.ts')) return join(dirname(here), SOURCES[name])
  // A bundle puts this code into its entry or into a folder of chunks beside it.
  const built = [dirname(here), dirname(dirname(here))].map(folder => join(folder, `${name}.js`))
  return built.find(file => existsSync(file)) ?? join(dirname(here), `${name}.js`)
}
