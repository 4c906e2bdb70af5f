import { join } from 'node:path'
import { vi } from 'vitest'

// Node strips the types of every module that a process or thread loads from sources, each time anew.
vi.mock(import('../src/machine/own-program.ts'), async original => {
  const real = await original()
  const names = Object.keys(real.OWN_PROGRAMS) as (keyof typeof real.OWN_PROGRAMS)[]
  const ownProgram: typeof real.ownProgram = name => join(import.meta.dirname, '../dist', `${name}.cjs`)
  return { ...real, ownProgram, ownPrograms: () => names.map(ownProgram) }
})
