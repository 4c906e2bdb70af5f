import type { Module } from './module.ts'

/** The rooms of a floor and the rooms that each may import. Types count; any other edge between two rooms is a breach. */
export type Floor = Readonly<Record<string, readonly string[]>>

export const floors: Readonly<Record<string, Floor>> = {
  'src/machine': {
    'own-program.ts': [],
    grammar: [],
    state: [],
    plan: ['state'],
    validation: [],
    web: ['own-program.ts'],
    vault: ['state'],
    journal: ['state'],
    workspace: ['state'],
    text: ['journal', 'workspace'],
    process: ['state', 'web', 'workspace'],
    upkeep: ['journal', 'state', 'workspace'],
    'workspace-resources.ts': ['journal', 'process', 'state', 'upkeep', 'workspace'],
  },
  'src/guards': {
    'verdict.ts': [],
    'glob-braces.ts': [],
    'glob.ts': ['glob-braces.ts'],
    'shrink.ts': [],
    'limits.ts': ['shrink.ts'],
    'budget.ts': [],
    'workflow.ts': [],
    'strict-json.ts': [],
    'new-errors.ts': [],
    secrets: [],
    shell: ['glob.ts', 'verdict.ts'],
    policy: ['glob.ts', 'shell', 'verdict.ts'],
    egress: ['policy'],
    approval: ['glob.ts', 'policy'],
    'judgement.ts': ['budget.ts', 'policy', 'workflow.ts'],
  },
  'src/knowledge': {
    parser: [],
    tree: [],
    memory: [],
    search: ['tree'],
    model: ['parser'],
    index: ['model', 'parser', 'tree'],
    github: ['index', 'search'],
    documentation: ['github'],
    code: ['index', 'model', 'parser', 'search', 'tree'],
    'parser-program': ['index', 'model', 'parser'],
    answers: ['code', 'index', 'search', 'tree'],
  },
  'src/knowledge/code': {
    'visible-text.ts': [],
    'types.ts': [],
    servers: ['visible-text.ts'],
    'code-parts.ts': ['servers'],
    'source.ts': ['code-parts.ts', 'servers'],
    'invisible-staged.ts': ['code-parts.ts'],
    resolve: [],
    graph: ['resolve', 'servers', 'types.ts'],
    effects: ['resolve', 'visible-text.ts', 'servers', 'types.ts'],
    callers: ['code-parts.ts', 'resolve', 'visible-text.ts', 'servers', 'source.ts', 'types.ts', 'invisible-staged.ts'],
    syntactic: ['callers', 'code-parts.ts', 'graph', 'resolve', 'visible-text.ts', 'servers', 'source.ts', 'types.ts'],
    context: ['code-parts.ts', 'resolve', 'syntactic', 'types.ts'],
    refactor: [
      'callers',
      'code-parts.ts',
      'effects',
      'visible-text.ts',
      'servers',
      'source.ts',
      'syntactic',
      'types.ts',
      'invisible-staged.ts',
    ],
    'open-code.ts': ['callers', 'code-parts.ts', 'context', 'refactor', 'servers', 'syntactic', 'types.ts'],
  },
}

/** Reports imports between two rooms of a floor that its list does not allow, and lists that are out of order. */
export const roomEdges = (modules: readonly Module[], house = floors): readonly string[] =>
  Object.entries(house).flatMap(([folder, floor]) => [
    ...edgesOf(modules, folder).flatMap(({ from, to, file, target }) => {
      const allowed = floor[from]
      if (!allowed) return [`${file}: ${folder}/${from} is not a room of that floor`]
      return allowed.includes(to) ? [] : [`${file}: ${from} may not import ${to} in ${folder} (${target})`]
    }),
    ...unordered(folder, floor),
  ])

/** Reports allowances that no import uses: each would let somebody add it unnoticed. */
export const unusedEdges = (modules: readonly Module[], house = floors): readonly string[] =>
  Object.entries(house).flatMap(([folder, floor]) => {
    const used = new Set(edgesOf(modules, folder).map(({ from, to }) => `${from} → ${to}`))
    const allowed = Object.entries(floor).flatMap(([from, others]) => others.map(to => `${from} → ${to}`))
    return allowed.filter(edge => !used.has(edge)).map(edge => `${folder}: ${edge}`)
  })

export interface Edge {
  readonly from: string
  readonly to: string
  readonly file: string
  readonly target: string
}

/** The imports that lead from one room of a floor to another. */
export const edgesOf = (modules: readonly Module[], folder: string): readonly Edge[] =>
  modules.flatMap(({ file, imports }) =>
    imports.flatMap(({ target }) => {
      const from = roomOf(folder, file)
      const to = roomOf(folder, target)
      return from === undefined || to === undefined || from === to ? [] : [{ from, to, file, target }]
    }),
  )

/** The room of a floor that a file is in: a folder, or a file of its own. */
const roomOf = (folder: string, file: string): string | undefined =>
  file.startsWith(`${folder}/`) ? file.slice(folder.length + 1).split('/')[0] : undefined

/** A floor is acyclic because it is in order: each room imports only rooms that are listed before it. */
const unordered = (folder: string, floor: Floor): readonly string[] => {
  const order = Object.keys(floor)
  return order.flatMap((room, place) =>
    (floor[room] ?? [])
      .filter(other => !order.slice(0, place).includes(other))
      .map(other => `${folder}: ${room} imports ${other}, which is not listed before it`),
  )
}
