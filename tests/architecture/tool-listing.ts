import { contractOf } from './levels.ts'
import type { Module } from './module.ts'

export const definesTool = /(?<!function )\bdefineTool\s*\(/

/** A tool that its contract does not list would compile, be tested, and never be offered. */
export const unlistedTools = (modules: readonly Module[]): readonly string[] =>
  modules.flatMap(({ file, code }) => {
    const id = contractOf(file)
    const listing = `src/contracts/${id}/contract.ts`
    if (!id || file === listing || !definesTool.test(code)) return []
    const contract = modules.find(module => module.file === listing)
    if (!contract) return [`${file}: defines a tool, but ${listing} does not exist`]
    const listed = contract.imports.some(({ target, typeOnly }) => target === file && !typeOnly)
    return listed ? [] : [`${file}: defines a tool that ${listing} does not import`]
  })
