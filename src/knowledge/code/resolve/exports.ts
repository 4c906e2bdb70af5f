import type { Meaning } from './meaning.ts'
import type { ProjectFile } from './project.ts'
import { NONE, type Resolution } from './resolution.ts'

/** What an import of a script brings: `*` is the module, `=` what it hands out as a whole. */
export function imported(resolution: Resolution, target: ProjectFile, name: string): readonly Meaning[] {
  const { meanings, exported } = resolution
  if (name === '*') return [meanings.module(target)]
  if (name === '=') {
    const whole = exported(target, '=')
    const { exports, stars } = target.code
    // What it hands out beside that is found by the module.
    const isMore = whole.length === 0 || stars.length > 0 || exports.some(each => each.name !== '=')
    return isMore ? [...whole, meanings.module(target)] : whole
  }
  const found = exported(target, name)
  if (found.length > 0) return found
  const whole = exported(target, '=')
  return name === 'default' ? whole : whole.flatMap(each => resolution.member(each, name))
}

/** What a module exports under a name, itself or by `export *`. */
export function exportedBy(resolution: Resolution, target: ProjectFile, name: string): readonly Meaning[] {
  const own = target.code.exports
    .filter(each => each.name === name)
    .flatMap(each => resolution.value(each.value, { file: target, by: -1 }))
  if (own.length > 0 || name === 'default' || name === '=') return own
  for (const star of target.code.stars) {
    const file = resolution.moduleOf(target, star)
    const found = file ? imported(resolution, file, name) : NONE
    if (found.length > 0) return found
  }
  return NONE
}
