#!/usr/bin/env node
// @ts-check
// Entry of every npm script: sets up a bare clone on any Node from 18 on, then runs the command.
import { existsSync } from 'node:fs'
import { bundle } from './bundle.mjs'
import { graphDatabase } from './graph-database.mjs'
import { install, installChroma, installMcpClients, installModelLibraries, installOpenApiTools } from './install.mjs'
import { node24 } from './node24.mjs'
import { withNode } from './npm.mjs'
import { at, root } from './root.mjs'
import { handOver } from './run.mjs'
import { say, Stop } from './say.mjs'
import { provide, wanted } from './system-packages.mjs'

/** The directory in which npm was called; npm itself changes to the package's folder. */
const caller = process.env['INIT_CWD'] ?? process.cwd()

/** @type {Readonly<Record<string, (args: readonly string[]) => Promise<number>>>} */
const verbs = {
  start: async args => {
    const [node] = await Promise.all([prepared(), provide(wanted.start)])
    return execute(node, at('dist', 'cli.cjs'), ['serve', ...args], { cwd: caller })
  },
  test: async args => {
    const more = [installMcpClients, installModelLibraries, installChroma, installOpenApiTools]
    const [node, missing] = await Promise.all([prepared(...more), provide(wanted.test)])
    return execute(node, at('scripts', 'test.ts'), args, { env: { TOOLWRIGHT_MISSING: missing.join(',') } })
  },
  'test:long': async args => {
    process.env['TOOLWRIGHT_LONG'] = '1'
    return verbs['test']?.(args) ?? 1
  },
  screenshots: async () => {
    process.env['TOOLWRIGHT_SCREENSHOTS'] = at('docs', 'images')
    return verbs['test']?.(['tests/console/pictures.test.ts']) ?? 1
  },
  check: async args => execute(await installed(), at('scripts', 'check.ts'), args),
  build: async args => execute(await installed(), at('scripts', 'build.ts'), ['--types', ...args]),
  docs: async args => execute(await prepared(), at('scripts', 'docs.ts'), args),
  bench: async args => execute(await prepared(), at('bench', 'run.ts'), args),
  attack: async args => execute(await prepared(), at('tests', 'security', 'attack.ts'), args, { cwd: caller }),
  conformance: async ([suite, ...args]) =>
    suite === 'mcp'
      ? execute(await prepared(installMcpClients), at('tests', 'mcp', 'conformance', 'run.ts'), args)
      : execute(await prepared(), at('scripts', 'conformance.ts'), suite === undefined ? [] : [suite, ...args]),
  clients: async args => {
    const [node] = await Promise.all([prepared(), provide(wanted.clients)])
    return execute(node, at('tests', 'clients', 'run.ts'), args)
  },
}

const installed = async () => {
  const node = await node24()
  await install(node)
  return node
}

/**
 * Installs and builds. What only some commands need has packages of its own, which npm fetches meanwhile.
 * @param {readonly ((node: string) => Promise<unknown>)[]} more
 */
const prepared = async (...more) => {
  const node = await node24()
  const own = install(node).then(() => Promise.all([bundle(node), graphDatabase(node)]))
  await Promise.all([own, ...more.map(prepare => prepare(node))])
  return node
}

/**
 * @param {string} node
 * @param {string} script
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 */
const execute = (node, script, args, { cwd = root, env = {} } = {}) => {
  if (!existsSync(script)) throw new Stop(`${script} does not exist.`)
  return handOver(node, [script, ...args], { cwd, env: { ...withNode(node), ...env } })
}

const [verb = '', ...args] = process.argv.slice(2)
try {
  const action = verbs[verb]
  if (!action) throw new Stop(`Unknown verb '${verb}'. One of: ${Object.keys(verbs).join(', ')}.`)
  process.exitCode = await action(args)
} catch (error) {
  if (!(error instanceof Stop)) throw error
  say(error.message)
  process.exitCode = 1
}
