import { expect } from 'vitest'
import { projectOf } from '../../src/knowledge/code/resolve/project.ts'
import { deadlineIn } from '../../src/knowledge/code/servers/deadline.ts'
import { modelOf } from '../../src/knowledge/model/model-of.ts'
import type { FileModel } from '../../src/languages/file-model/file-model.ts'
import { callersIn } from '../../src/knowledge/code/syntactic/syntactic-callers.ts'
import { packagesIn } from '../../src/knowledge/code/resolve/packages.ts'
import { fromTexts } from '../../src/knowledge/code/syntactic/read-project.ts'

type Files = Readonly<Record<string, string>>

/** What the texts of files say. */
export async function writtenProject(files: Files) {
  const codes: [string, FileModel][] = []
  for (const [file, text] of Object.entries(files)) {
    const code = await modelOf(file, Buffer.from(text))
    if (code) codes.push([file, code])
  }
  return projectOf(codes)
}

/** The answer from the text alone; the same whether all files are read or as few as will do. */
export async function writtenAnswer(files: Files, path: string, name: string, depth = 1) {
  const texts = new Map(Object.entries(files).toSorted())
  const found = callersIn(await writtenProject(files), path, name, depth, { packages: packagesIn(texts), texts })
  const few = await fromTexts(texts, path, deadlineIn(60_000), (some, asked, packages) =>
    callersIn(some, path, name, depth, { asked, packages, texts }),
  )
  expect(few).toEqual(found)
  expect(found.basis).toEqual({ by: 'syntax' })
  expect(found.partial).toBe(found.possible.length + found.unknown.length > 0)
  return found
}

/** Certain callers, as `chain @file:line`. */
export async function writtenCallers(files: Files, path: string, name: string, depth = 1) {
  const { callers } = await writtenAnswer(files, path, name, depth)
  return callers.map(({ chain, path: at, line }) => `${chain.join(' > ')} @${at}:${line}`)
}

/** Possible callers, as `name @file:line`. */
export async function possibleCallers(files: Files, path: string, name: string) {
  const { possible } = await writtenAnswer(files, path, name)
  return possible.map(({ name: by, path: at, line }) => `${by} @${at}:${line}`)
}
