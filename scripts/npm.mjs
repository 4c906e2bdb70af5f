// @ts-check
import { existsSync, realpathSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import { run } from './run.mjs'
import { Stop } from './say.mjs'

/**
 * Installs exactly what a folder's lock file says, with the npm that started us, run by the given Node.
 * Returns what npm said: it calls an optional package that it could not fetch a success.
 * @param {string} node
 * @param {string} folder
 */
export const npmCi = async (node, folder) => {
  const flags = [
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=http',
  ]
  const { code, output } = await run(node, [npmCli(), 'ci', ...flags], {
    cwd: folder,
    env: npmEnvironment(withNode(node)),
  })
  const said = output.replaceAll(/^npm http (fetch|cache) .*( 200 | 304 |cache).*\n/gm, '').trim()
  if (code !== 0) throw new Stop(`npm ci failed in ${folder} (exit code ${code}):\n${said}`)
  return said
}

/**
 * The environment of a child: this Node first on PATH, so that whatever it starts finds the same one.
 * @param {string} node
 * @returns {NodeJS.ProcessEnv}
 */
export const withNode = node => {
  const name = Object.keys(process.env).find(key => key.toUpperCase() === 'PATH') ?? 'PATH'
  return { ...process.env, [name]: [dirname(node), process.env[name] ?? ''].join(delimiter) }
}

/**
 * npm hands its whole configuration down to scripts: a `--prefix`, `omit` or `production` meant for the outer call
 * would install into the wrong place or leave the tools out. What says how to reach the registry stays.
 * @param {NodeJS.ProcessEnv} environment
 * @returns {NodeJS.ProcessEnv}
 */
export const npmEnvironment = environment =>
  Object.fromEntries(
    Object.entries(environment).filter(
      ([name]) => name !== 'NODE_ENV' && (!/^npm_config_/i.test(name) || reachesRegistry.test(name)),
    ),
  )

const reachesRegistry =
  /^npm_config_(registry|cache|userconfig|globalconfig|(https?[-_])?proxy|noproxy|ca|cafile|cert|key|strict[-_]ssl|(prefer[-_])?offline|fetch[-_].*|maxsockets|loglevel|@.*|\/\/.*)$/i

const npmCli = () => {
  const started = process.env['npm_execpath'] ?? ''
  const places = [
    basename(started) === 'npm-cli.js' ? started : '',
    join(dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(dirname(process.execPath), '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    ...(process.env['PATH'] ?? '').split(delimiter).flatMap(npmBehind),
  ]
  const found = places.find(place => place !== '' && existsSync(place))
  if (!found) throw new Stop('npm was not found. Start with npm itself: npm start, npm test.')
  return found
}

/**
 * On most systems the `npm` on PATH is a link to npm-cli.js.
 * @param {string} folder
 */
const npmBehind = folder => {
  const link = join(folder, 'npm')
  if (folder === '' || !existsSync(link)) return []
  const target = realpathSync(link)
  return basename(target) === 'npm-cli.js' ? [target] : []
}
