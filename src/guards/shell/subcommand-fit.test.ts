import { describe, expect, it } from 'vitest'
import { judgeCommand, type CommandRule } from './judge-command.ts'
import { judgeStart } from './judge-start.ts'

const rule = (verdict: CommandRule['verdict'], command: string): CommandRule => ({
  id: command,
  verdict,
  prefix: command.split(' '),
})

/** What a deny rule says about a line while everything else is allowed, and about the start of the same words. */
const denied = (line: string, command: string): readonly string[] => {
  const rules = [rule('deny', command)]
  const [program = '', ...args] = line.split(' ')
  return [
    judgeCommand(line, { rules, fallback: 'allow' }).verdict,
    judgeStart({ names: [program], path: `/usr/bin/${program}`, isFixed: true, args }, rules).verdict,
  ]
}

describe('a rule that denies a subcommand', () => {
  it.each([
    ['npm publish', ['npm publ', 'npm pub', 'npm --silent publis .', 'npm --prefix x publ', 'npm -w a publ']],
    ['npm exec', ['npm exe x', 'npm x y', 'npm exec y', 'npx y']],
    ['npm run', ['npm ru x', 'npm run-script x', 'npm rum x', 'npm urn x', 'npm run-sc x', 'npm runScript x']],
    ['npm run deploy', ['npm ru deploy', 'npm urn -s deploy']],
    ['npm test', ['npm t', 'npm tst', 'npm tes', 'npm run test', 'npm ru test', 'npm rum -s test']],
    ['npm install', ['npm i x', 'npm add x', 'npm in', 'npm insta', 'npm isntall', 'npm isntal']],
    ['npm i', ['npm install', 'npm add x']],
    ['npm ci', ['npm ic', 'npm clean-install', 'npm install-cl', 'npm installClean', 'npm clean-instal']],
    ['npm link', ['npm ln', 'npm lin x']],
    ['npm dist-tag', ['npm dist-tags ls', 'npm distTag add', 'npm dist']],
    ['npm config set', ['npm c set x y', 'npm conf set x', 'npm set x y']],
    ['npm unpublish', ['npm unp x', 'npm unpubl']],
    ['pnpm publish', ['pnpm -r publish', 'pnpm recursive publish', 'pnpm m publish', 'pnpm --filter x publish']],
    ['pnpm run ship', ['pnpm ship', 'pnpm run-script ship', 'pnpm -r ship']],
    ['pnpm remove', ['pnpm rm x', 'pnpm un x', 'pnpm uninstall x']],
    ['yarn publish', ['yarn npm publish', 'yarn workspace a publish', 'yarn workspaces foreach publish']],
    ['yarn run ship', ['yarn ship', 'yarn run-script ship', 'yarn workspace a ship', 'yarnpkg ship']],
    ['yarn ship', ['yarn run ship']],
    ['cargo publish', ['cargo +nightly publish', 'cargo -q publish', 'cargo --config x=1 publish']],
    ['cargo run', ['cargo r', 'cargo +stable r -- x']],
    ['cargo test', ['cargo t']],
    ['docker push', ['docker image push x', 'docker --context x image push y', 'docker -l debug push x']],
    ['docker run', ['docker container run x', 'docker --debug container run x']],
    ['docker rmi', ['docker image rm x', 'docker image remove x']],
    ['docker compose up', ['docker-compose up']],
    ['hg push', ['hg pus', 'hg -R x push', 'hg --cwd x pus', 'hg --config a.b=c push']],
    ['hg update', ['hg up', 'hg co', 'hg checkout', 'hg upd']],
    ['svn commit', ['svn ci', 'svn -m x ci', 'svn --username x ci']],
    ['svn delete', ['svn rm x', 'svn del x', 'svn remove x']],
    ['ip link set', ['ip l set x down', 'ip li s x down', 'ip -n a link se x up', 'ip -4 l s x']],
    ['ip address add', ['ip a a 1 dev x', 'ip addr add 1', 'ip ad ad 1']],
    ['gh pr create', ['gh pr new', 'gh -R a/b pr create', 'gh pr --repo a/b new']],
    ['gh extension', ['gh ext install x', 'gh extensions list']],
    ['apt full-upgrade', ['apt dist-upgrade', 'apt -o A=b full-upgrade', 'apt -y dist-upgrade']],
    ['systemctl stop', ['systemctl condstop x', 'systemctl -H x stop y', 'systemctl --user stop y']],
    ['git add', ['git stage x', 'git -C . stage x', 'git-stage x']],
    [
      'git push',
      ['git-push origin', 'git --exec-path=/x push', 'git --exec-path=/x -C . push', '/usr/lib/git-core/git-push'],
    ],
    ['git remote remove', ['git remote rm x', 'git -C . remote rm x']],
  ] as const)('%s holds for every name that the program has for it: %j', (command, lines) => {
    expect(lines.map(line => [line, ...denied(line, command)])).toEqual(lines.map(line => [line, 'deny', 'deny']))
  })

  it.each([
    [
      'npm publish',
      ['npm pack', 'npm prune', 'npm run publish', 'npm unpublish x', 'npm i publish', 'npm test publish'],
    ],
    ['npm run', ['npm test', 'npm rebuild', 'npm root', 'npm t']],
    ['npm test', ['npm team ls', 'npm token list', 'npm run test:unit', 'npm run']],
    ['npm install', ['npm install-test', 'npm it', 'npm init', 'npm info x', 'npm ci']],
    ['npm uninstall', ['npm unpublish x', 'npm unstar x', 'npm update']],
    ['npm unpublish', ['npm un x']],
    ['yarn publish', ['yarn run publish', 'yarn npm whoami', 'yarn workspace a test']],
    ['yarn install', ['yarn run install', 'yarn info x']],
    ['cargo publish', ['cargo test', 'cargo t', 'cargo +nightly fmt', 'cargo clippy', 'cargo nextest run']],
    ['docker push', ['docker image pull x', 'docker ps', 'docker run push', 'docker volume ls']],
    ['hg push', ['hg pull', 'hg log', 'hg st']],
    ['ip link set', ['ip link show', 'ip l sh', 'ip a s', 'ip addr', 'ip link']],
    ['ip addrlabel', ['ip addr', 'ip a']],
    ['gh pr create', ['gh pr list', 'gh issue create', 'gh run list']],
    ['svn commit', ['svn co x', 'svn cat x']],
    ['git add', ['git status', 'git stash']],
    ['docker compose up', ['docker-compose ps', 'docker up']],
  ] as const)('%s leaves other names alone: %j', (command, lines) => {
    expect(lines.map(line => [line, ...denied(line, command)])).toEqual(lines.map(line => [line, 'allow', 'allow']))
  })

  it.each([
    ['cargo publish', 'cargo p'],
    ['cargo publish', 'cargo ship-it --now'],
    ['hg push', 'hg p2'],
    ['gh repo delete', 'gh rd x'],
  ])('%s asks about a name that a configuration file may define: %s', (command, line) => {
    expect(denied(line, command)).toEqual(['ask', 'ask'])
  })

  it('leaves rules that allow as they are: another name is another command', () => {
    const lines = ['npm tes', 'npm run test', 'docker container ls', 'cargo +nightly test', 'ip l s x down', 'npx x']
    const rules = ['npm test', 'docker ps', 'cargo test', 'ip link', 'npm exec'].map(command => rule('allow', command))
    expect(lines.map(line => [line, judgeCommand(line, { rules, fallback: 'ask' }).verdict])).toEqual(
      lines.map(line => [line, 'ask']),
    )
    const ip = [rule('allow', 'ip')]
    expect(judgeCommand('ip l s x down', { rules: ip, fallback: 'ask' }).verdict).toBe('ask')
    expect(judgeCommand('ip l sh', { rules: ip, fallback: 'ask' }).verdict).toBe('allow')
  })
})
