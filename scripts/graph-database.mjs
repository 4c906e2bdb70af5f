// @ts-check
import { existsSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { npmCi, npmEnvironment, withNode } from './npm.mjs'
import { at } from './root.mjs'
import { run } from './run.mjs'
import { during, say, Stop } from './say.mjs'
import { once, stateOf } from './stamp.mjs'

/**
 * Kuzu for platforms for which npm has no package of Ladybug: a package of its own, so that users of ours never get its
 * hundreds of megabytes. Nothing is done where the platform's package was installed, or where Kuzu has nothing either.
 * Only graphs need it: where it cannot be had, the rest goes on.
 * @param {string} node
 */
export const graphDatabase = async node => {
  if (existsSync(at('node_modules', '@ladybugdb', `core-${platform}`))) return
  try {
    await provide(node)
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    say(error.message)
  }
}

/** @param {string} node */
const provide = async node => {
  const folder = at('tools', 'graph')
  const made = join(folder, 'node_modules', 'kuzu')
  await once(
    join(folder, 'node_modules', '.toolwright-stamp'),
    stateOf([join(folder, 'package.json'), join(folder, 'package-lock.json')]),
    () => during('Installing the graph database', () => installed(node, folder, made)),
  )
  const link = at('node_modules', 'kuzu')
  if (existsSync(made) && !existsSync(link)) symlinkSync(made, link, 'junction')
}

const platform = `${process.platform}-${process.arch}`

/**
 * @param {string} node
 * @param {string} folder
 * @param {string} made
 */
const installed = async (node, folder, made) => {
  await npmCi(node, folder)
  if (!existsSync(join(made, 'prebuilt', `kuzujs-${platform}.node`))) return rmSync(made, { recursive: true })
  // Its install script copies what is prebuilt to its place. Only then are its sources and their test data of no use.
  const { code, output } = await run(node, ['install.js'], { cwd: made, env: npmEnvironment(withNode(node)) })
  if (code !== 0) throw new Stop(`The graph database in ${folder} cannot be installed:\n${output}`)
  for (const rest of ['kuzu-source', 'prebuilt']) rmSync(join(made, rest), { recursive: true })
}
