import { cycles } from './cycles.ts'
import { contractNames, kernelPackages, levels } from './levels.ts'
import { impureGuards, systemImports } from './machine.ts'
import { readModule, type Module } from './module.ts'
import { emptyNames } from './names.ts'
import { roomEdges } from './rooms.ts'
import { unlistedTools } from './tool-listing.ts'

const rules = [
  levels,
  contractNames,
  roomEdges,
  kernelPackages,
  cycles,
  systemImports,
  impureGuards,
  unlistedTools,
  emptyNames,
  longFiles,
]

/** Every breach of the house rules in these sources (path from the repository's root → text); tests are not judged. */
export const violations = (files: Readonly<Record<string, string>>): readonly string[] => {
  const modules = Object.entries(files)
    .filter(([file]) => !file.endsWith('.test.ts'))
    .map(([file, text]) => readModule(file, text))
  return rules.flatMap(rule => rule(modules))
}

function longFiles(modules: readonly Module[]): readonly string[] {
  return modules
    .filter(({ lines }) => lines > 400)
    .map(({ file, lines }) => `${file}: ${lines} lines, and 400 is the most; split it by idea`)
}
