import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** A tree of files to search, made of packages of the registry. */
export interface Corpus {
  readonly name: 'small' | 'medium' | 'large'
  readonly path: string
}

const SMALL = ['lodash@4.17.21', '@angular/core@20.0.0', '@angular/cdk@20.0.0']
const MEDIUM = [
  '@angular/cdk@20.0.0',
  '@angular/common@20.0.0',
  '@angular/compiler@20.0.0',
  '@angular/core@20.0.0',
  '@angular/forms@20.0.0',
  '@angular/material@20.0.0',
  '@angular/router@20.0.0',
  'rxjs@7.8.2',
  '@mui/material@7.3.0',
  'antd@5.27.0',
  'typescript@5.9.3',
]
const LARGE = [
  '@mui/icons-material@7.3.0',
  '@fluentui/react@8.123.0',
  '@babylonjs/core@8.20.0',
  'date-fns@4.1.0',
  '@aws-sdk/client-ec2@3.800.0',
  'googleapis@160.0.0',
]
const PACKAGES = { small: SMALL, medium: MEDIUM, large: LARGE } as const
const REFERENCE_SERVER = '@modelcontextprotocol/server-filesystem@2026.8.31'
const DESKTOP_COMMANDER = '@wonderwhy-er/desktop-commander@0.2.52'
const MCP_RIPGREP = 'mcp-ripgrep@0.4.0'
const TOKENIZER = 'gpt-tokenizer@4.0.0'
const FAST_GLOB = 'fast-glob@3.3.3'

/** Outside the repository, so that no search of it finds them. */
const base = (): string =>
  process.env['TOOLWRIGHT_BENCH_CORPORA'] ??
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'toolwright', 'bench')

/** The corpora of these sizes as git repositories, fetched on first use, without source maps. */
export function corpora(names: readonly Corpus['name'][]): readonly Corpus[] {
  return names.map(name => {
    const path = join(base(), 'corpora', name)
    if (!existsSync(path)) fetchCorpus(name, path)
    return { name, path }
  })
}

function fetchCorpus(name: Corpus['name'], path: string): void {
  console.error(`Fetching the ${name} corpus, once…`)
  const beside = `${path}.${process.pid}`
  for (const spec of PACKAGES[name]) {
    const into = join(beside, spec.replaceAll(/[@/]/g, '-').replace(/^-/, ''))
    mkdirSync(into, { recursive: true })
    execFileSync('tar', ['-xzf', packed(spec), '-C', into, '--strip-components=1', '--exclude=*.map'])
  }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: beside, stdio: ['ignore', 'ignore', 'inherit'] })
  git('init', '-q')
  git('add', '-A')
  git('-c', 'user.name=bench', '-c', 'user.email=bench@localhost', 'commit', '-q', '-m', 'corpus')
  renameSync(beside, path)
}

function packed(spec: string): string {
  const tars = join(base(), 'tars', spec.replaceAll('/', '-'))
  const known = existsSync(tars) ? readdirSync(tars).find(name => name.endsWith('.tgz')) : undefined
  if (known !== undefined) return join(tars, known)
  mkdirSync(tars, { recursive: true })
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', spec], { cwd: tars })
  return join(tars, readdirSync(tars).find(name => name.endsWith('.tgz')) ?? '')
}

/** One package of the registry as it is published, unpacked the first time. */
export function unpackedPackage(spec: string): string {
  const path = join(base(), 'packages', spec.replaceAll(/[@/]/g, '-').replace(/^-/, ''))
  if (existsSync(path)) return path
  console.error(`Fetching ${spec}, once…`)
  const beside = `${path}.${process.pid}`
  mkdirSync(beside, { recursive: true })
  execFileSync('tar', ['-xzf', packed(spec), '-C', beside, '--strip-components=1', '--exclude=*.map'])
  renameSync(beside, path)
  return path
}

/** The program of the reference MCP server for files, installed beside the corpora the first time. */
export const referenceServer = (): string =>
  installed('server', REFERENCE_SERVER, '@modelcontextprotocol/server-filesystem/dist/index.js')

/** The program of desktop-commander; one of its dependencies asks for a version that was never published. */
export const desktopCommander = (): string =>
  installed('desktop-commander', DESKTOP_COMMANDER, '@wonderwhy-er/desktop-commander/dist/index.js', {
    'typedarray.prototype.slice': '1.0.5',
  })

/** The program of mcp-ripgrep, which starts the `rg` that is in PATH. */
export const mcpRipgrep = (): string => installed('mcp-ripgrep', MCP_RIPGREP, 'mcp-ripgrep/dist/index.js')

/** The module that counts tokens as the models of o200k do. */
export const tokenizerFile = (): string => installed('tokenizer', TOKENIZER, 'gpt-tokenizer/esm/encoding/o200k_base.js')

/** The main file of fast-glob, installed beside the corpora the first time. */
export const fastGlobFile = (): string => installed('fast-glob', FAST_GLOB, 'fast-glob/out/index.js')

/** A file of a package that is installed with what it needs. */
function installed(name: string, spec: string, file: string, overrides: Readonly<Record<string, string>> = {}): string {
  const path = join(base(), name)
  const wanted = join(path, 'node_modules', file)
  if (existsSync(wanted)) return wanted
  console.error(`Installing ${spec}, once…`)
  rmSync(path, { recursive: true, force: true })
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, 'package.json'), JSON.stringify({ private: true, overrides }))
  const quietly = ['--silent', '--ignore-scripts', '--no-audit', '--no-fund']
  execFileSync('npm', ['install', ...quietly, '--prefix', path, spec])
  return wanted
}
