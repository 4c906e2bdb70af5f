import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import manifest from '../../package.json' with { type: 'json' }
import { once } from '../kernel/once.ts'
import { ownPrograms } from '../machine/own-program.ts'

/** Increase when frames or greetings change. */
const PROTOCOL = 3

/** Identity of a program: only two that agree in all of it communicate. */
export interface Build {
  readonly protocol: number
  readonly version: string
  /** A hash of our programs. Their parts are named by content, so any change of code changes it. */
  readonly build: string
}

export const ownBuild = once((): Build => {
  const hash = createHash('sha256')
  for (const file of ownPrograms()) if (existsSync(file)) hash.update(readFileSync(file))
  return { protocol: PROTOCOL, version: manifest.version, build: hash.digest('hex').slice(0, 16) }
})

export const isSameBuild = (one: Build, other: Build): boolean =>
  one.protocol === other.protocol && one.version === other.version && one.build === other.build

/** Returns a name for files of this build alone. */
export const nameOfBuild = ({ protocol, version, build }: Build): string =>
  createHash('sha256').update(`${protocol}\0${version}\0${build}`).digest('hex').slice(0, 12)
