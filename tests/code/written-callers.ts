import { expect } from 'vitest'
import { projectOf } from '../../src/engines/code/graph/resolve/project.ts'
import { deadlineIn } from '../../src/engines/code/servers/deadline.ts'
import { codeOf } from '../../src/engines/code/symbols/code-of.ts'
import type { FileCode } from '../../src/engines/code/symbols/file-code.ts'
import { callersIn } from '../../src/engines/code/syntactic/callers.ts'
import { packagesIn } from '../../src/engines/code/syntactic/packages.ts'
import { fromTexts } from '../../src/engines/code/syntactic/read-project.ts'

type Files = Readonly<Record<string, string>>

/** What the texts of files say. */
export async function writtenProject(files: Files) {
  const codes: [string, FileCode][] = []
  for (const [file, text] of Object.entries(files)) {
    const code = await codeOf(file, Buffer.from(text))
    if (code) codes.push([file, code])
  }
  return projectOf(codes)
}

/** Callers from the text alone, as `chain @file:line`; the same whether all files are read or as few as will do. */
export async function writtenCallers(files: Files, path: string, name: string, depth = 1) {
  const texts = new Map(Object.entries(files).toSorted())
  const found = callersIn(await writtenProject(files), path, name, depth, { packages: packagesIn(texts) })
  const few = await fromTexts(texts, path, deadlineIn(60_000), (some, asked, packages) =>
    callersIn(some, path, name, depth, { asked, packages }),
  )
  expect(few).toEqual(found)
  expect(found.basis).toEqual({ by: 'syntax' })
  return found.callers.map(({ chain, path: at, line }) => `${chain.join(' > ')} @${at}:${line}`)
}
