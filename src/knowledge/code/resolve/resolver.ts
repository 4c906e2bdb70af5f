import { isScript } from '../../../languages/registry.ts'
import { oncePer } from '../../../kernel/once.ts'
import type { Value } from '../../../languages/file-model/file-model.ts'
import type { NameDependencies } from './name-dependencies.ts'
import { exportedBy } from './imports.ts'
import { createMeanings, type Meaning, type Where } from './meaning.ts'
import { memberOf, typesAbove } from './members.ts'
import { moduleFinder, type ConfigFile } from '../../../languages/javascript/modules/module-finder.ts'
import { namesOf, type Names } from './names.ts'
import type { Packages } from './packages.ts'
import type { Project, ProjectFile } from './project.ts'
import type { Resolution } from './resolution.ts'
import { meaningOf, resultOf, settledOf } from './values.ts'
import { createWorkList, type Slot } from './work-list.ts'

type Known = Slot<Meaning>

/** A question about a value in one context. */
interface Query {
  readonly where: Where
  readonly slot: Known
  readonly next: Query | undefined
}

/** Resolves the names of a project whose scripts import each other by paths and by configuration. */
export function resolveProject(
  project: Project,
  configs: readonly ConfigFile[] = [],
  dependencies?: NameDependencies,
  packages?: Packages,
): Resolution {
  const find = moduleFinder(path => project.files.has(path), configs)
  return createResolution(namesOf(project, dependencies, packages), (from, specifier) =>
    project.files.get(find(from.path, specifier) ?? ''),
  )
}

/** Resolves the names of a project. `moduleOf` resolves the imports of scripts. */
export function createResolution(
  names: Names,
  moduleOf: (file: ProjectFile, specifier: string) => ProjectFile | undefined,
): Resolution {
  const work = createWorkList<Meaning>()
  const values = new Map<Value, Query>()
  const members = new Map<Meaning, Map<string, Known>>()
  const exports = new Map<ProjectFile, Map<string, Known>>()
  const [settledMeanings, results, above] = [
    new Map<Meaning, Known>(),
    new Map<Meaning, Known>(),
    new Map<Meaning, Known>(),
  ]
  const meanings = createMeanings()
  const outside = oncePer((file: ProjectFile): Where => ({ file, by: -1 }))

  const resolution: Resolution = {
    names,
    meanings,
    moduleOf,
    value: (value, where) => work.read(slotOf(value, where)),
    member: (of, name) => work.read(slotIn(inside(members, of), name, () => memberOf(resolution, of, name))),
    settled: meaning =>
      meaning.kind === 'symbol'
        ? work.read(slotIn(settledMeanings, meaning, () => settledOf(resolution, meaning)))
        : [meaning],
    result: meaning => work.read(slotIn(results, meaning, () => resultOf(resolution, meaning))),
    exported: (file, name) => work.read(slotIn(inside(exports, file), name, () => exportedBy(resolution, file, name))),
    above: (type, bindings) =>
      work.read(slotIn(above, meanings.instance(type, bindings), () => typesAbove(resolution, type, bindings))),
  }
  return resolution

  function slotOf(value: Value, asked: Where): Known {
    const where = placeOf(value, asked)
    const first = values.get(value)
    for (let at = first; at; at = at.next) if (isSamePlace(at.where, where)) return at.slot
    const slot = work.slot(() => meaningOf(resolution, value, where))
    values.set(value, { where, slot, next: first })
    return slot
  }

  /** Scripts bind their names themselves, and only the called name is chosen by the number of arguments. */
  function placeOf(value: Value, where: Where): Where {
    const { file, by, bindings, count } = where
    if (isScript(file.code.language)) return bindings ? { file, by: -1, bindings } : outside(file)
    return count === undefined || CALLED.test(value[0]) ? where : { file, by, bindings }
  }

  function slotIn<K>(known: Map<K, Known>, key: K, compute: () => readonly Meaning[]): Known {
    const before = known.get(key)
    if (before) return before
    const slot = work.slot(compute)
    known.set(key, slot)
    return slot
  }
}

const CALLED = /^(name|either|typed|element)$/

const isSamePlace = (one: Where, other: Where): boolean =>
  one === other ||
  (one.file === other.file && one.by === other.by && one.count === other.count && one.bindings === other.bindings)

function inside<K>(all: Map<K, Map<string, Known>>, key: K): Map<string, Known> {
  let inner = all.get(key)
  if (!inner) all.set(key, (inner = new Map()))
  return inner
}
