import type { SubcommandNames } from './program.ts'

/** From npm's `lib/utils/cmd-list.js`. Combines several versions, because npm refuses names that it does not know. */
export const NPM: SubcommandNames = {
  own: `access adduser approve-scripts audit bugs cache ci completion config dedupe deny-scripts deprecate diff dist-tag docs doctor
  edit exec explain explore find-dupes fund get help help-search hook init install install-ci-test install-scripts install-test link
  ll login logout ls org outdated owner pack ping pkg prefix profile prune publish query rebuild repo restart root run sbom search
  set set-script shrinkwrap stage star stars start stop team test token trust undeprecate uninstall unpublish unstar update version
  view whoami`,
  aliases: {
    author: 'owner',
    home: 'docs',
    issues: 'bugs',
    'info, show, v': 'view',
    'find, s, se': 'search',
    'add, i, in, ins, inst, insta, instal, isnt, isnta, isntal, isntall': 'install',
    'unlink, remove, rm, r, un': 'uninstall',
    rb: 'rebuild',
    list: 'ls',
    la: 'll',
    ln: 'link',
    'create, innit': 'init',
    it: 'install-test',
    'cit, sit, clean-install-test': 'install-ci-test',
    'u, up, upgrade, udpate': 'update',
    c: 'config',
    'tst, t': 'test',
    ddp: 'dedupe',
    'run-script, rum, urn': 'run',
    'clean-install, ic, install-clean, isntall-clean': 'ci',
    x: 'exec',
    why: 'explain',
    verison: 'version',
    hlep: 'help',
    'dist-tags': 'dist-tag',
    ogr: 'org',
    'add-user': 'adduser',
    'run test, run-script test': 'test',
    'run start, run-script start': 'start',
    'run stop, run-script stop': 'stop',
    'run restart, run-script restart': 'restart',
    'config set': 'set',
    'config get': 'get',
  },
  abbreviates: 'subcommands',
  camelCase: true,
}

export const PNPM: SubcommandNames = {
  own: `add approve-builds audit bin cat-file cat-index ci config create dedupe deploy dlx doctor env exec fetch find-hash
  ignored-builds import init install install-test licenses link list outdated pack patch patch-commit patch-remove prune publish
  rebuild recursive remove root run self-update server setup start stop restart store test unlink update why login logout version
  unpublish deprecate dist-tag owner access token team view search whoami ping profile repo bugs docs edit pkg star stars unstar
  prefix set-script adduser`,
  aliases: {
    i: 'install',
    it: 'install-test',
    'rm, uninstall, un, uni': 'remove',
    'up, upgrade': 'update',
    'ls, la, ll': 'list',
    'run-script': 'run',
    't, tst': 'test',
    ln: 'link',
    dislink: 'unlink',
    rb: 'rebuild',
    c: 'config',
    'info, show, v': 'view',
    's, se, find': 'search',
    'add-user': 'adduser',
    'recursive *, multi *, m *': '*',
    'run test, run-script test': 'test',
    'run start, run-script start': 'start',
  },
  others: 'scripts',
}

export const YARN: SubcommandNames = {
  own: `access add audit autoclean bin cache check config constraints create dedupe dlx exec explain generate-lock-entry global help
  import info init install licenses link list login logout node npm outdated owner pack patch patch-commit plugin policies prune
  publish rebuild remove run search set stage start tag team test unlink unplug up upgrade upgrade-interactive version versions why
  workspace workspaces`,
  aliases: {
    'add-user, adduser, npm login': 'login',
    'npm logout': 'logout',
    author: 'owner',
    'dist-tag, dist-tags, npm tag': 'tag',
    isntall: 'install',
    'run-script, runScript': 'run',
    show: 'info',
    'npm publish': 'publish',
    'npm audit': 'audit',
    'workspace * *, workspaces foreach *, workspaces run *': '*',
    'run test, run-script test': 'test',
    'run start, run-script start': 'start',
  },
  others: 'scripts',
}
