import {execFileSync, spawn} from 'node:child_process'
import {once} from 'node:events'
import {chmodSync, chownSync, cpSync, mkdirSync, readFileSync, readdirSync} from 'node:fs'
import {renameSync, rmSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {z} from 'zod'

/** What a Dockerfile of two stages says: whatever it says besides is not understood, and refused. */
interface Recipe {
  /** Taken from the repository, by where it goes. */
  sources: readonly string[]
  /** Run in the folder of the first stage, which holds what that one copies. */
  install: {sources: readonly string[]; command: string}
  environment: Readonly<Record<string, string>>
  /** Run as its user, who may write into this folder then. */
  compile: {folder: string; command: string}
  user: string
  volume: string
  port: number
  command: readonly string[]
  health: readonly string[]
}

/** The tree of an image, in a folder: `root/app` is what it works in. */
export interface Image {
  root: string
  recipe: Recipe
  /** Where it was compiled: elsewhere its files have other names, by which nothing is found compiled. */
  compiledIn: Confinement
}

const APP = 'app'
/** "nobody", by whatever name. */
const NOBODY_ID = 65_534

export function readRecipe(dockerfile: string): Recipe {
  const lines = dockerfile
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '')
  const stages = lines.reduce<string[][]>((all, line) => {
    if (line.startsWith('FROM ')) all.push([])
    else all.at(-1)?.push(line)
    return all
  }, [])
  const [first = [], second = [], ...more] = stages
  const known =
    /^(?:WORKDIR \/app|COPY [^-].*|COPY --from=dependencies \/app\/node_modules node_modules|RUN .*|ENV .*|USER .*|VOLUME .*|EXPOSE .*|HEALTHCHECK .*|CMD .*)$/
  const strange = [...first, ...second].filter((line) => !known.test(line))
  if (more.length > 0 || strange.length > 0)
    throw new Error(`Not understood: ${strange.join('; ')}`)
  const of = (stage: readonly string[], word: string): string[] =>
    stage.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1))
  const one = (word: string): string => {
    const [line, ...others] = of(second, word)
    if (line === undefined || others.length > 0) throw new Error(`There is not one ${word}`)
    return line
  }
  const copied = (stage: readonly string[]): string[] =>
    of(stage, 'COPY')
      .filter((line) => !line.startsWith('--from='))
      .flatMap((line) => line.split(' ').slice(0, -1))
  const volume = one('VOLUME')
  const user = one('USER')
  const environment = Object.fromEntries(
    one('ENV')
      .split(' ')
      .map((pair) => pair.split('=', 2) as [string, string]),
  )
  const folder = environment['NODE_COMPILE_CACHE'] ?? ''
  const [made, command = '', ...others] = of(second, 'RUN')
  if (made !== `mkdir ${volume} ${folder} && chown ${user}:${user} ${volume} ${folder}`) {
    throw new Error('Its folders are not its user’s')
  }
  if (others.length > 0 || second.indexOf(`RUN ${command}`) < second.indexOf(`USER ${user}`)) {
    throw new Error('It is not compiled by its user alone')
  }
  const list = (json: string): string[] => z.array(z.string()).parse(JSON.parse(json))
  return {
    sources: copied(second),
    install: {sources: copied(first), command: of(first, 'RUN').join(' && ')},
    environment,
    compile: {folder, command},
    ...{user, volume, port: Number(one('EXPOSE')), command: list(one('CMD'))},
    health: list(one('HEALTHCHECK').replace(/^.*?CMD /, '')),
  }
}

/** Builds what the Dockerfile would, without the system below it. */
export async function buildImage(repository: string, root: string): Promise<Image> {
  const recipe = readRecipe(readFileSync(join(repository, 'Dockerfile'), 'utf8'))
  const app = join(root, APP)
  const stage = join(root, 'stage')
  for (const [folder, sources] of [
    [stage, recipe.install.sources],
    [app, recipe.sources],
  ] as const) {
    mkdirSync(folder, {recursive: true})
    for (const source of sources.filter((name) => name !== './')) {
      cpSync(join(repository, source), join(folder, source), {recursive: true})
    }
  }
  execFileSync('sh', ['-c', `${recipe.install.command} --prefer-offline --no-audit --no-fund`], {
    cwd: stage,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {PATH: process.env['PATH'], HOME: process.env['HOME']},
  })
  renameSync(join(stage, 'node_modules'), join(app, 'node_modules'))
  rmSync(stage, {recursive: true})
  const {compile, volume} = recipe
  for (const folder of [volume, compile.folder]) {
    mkdirSync(join(root, folder))
    if (process.getuid?.() === 0) chownSync(join(root, folder), NOBODY_ID, NOBODY_ID)
  }
  // A scratch folder is closed to others, as whom it runs.
  chmodSync(root, 0o755)
  const [compiledIn] = confinements()
  const image = {root, recipe, compiledIn}
  const {code, said} = await endOf(
    runInImage(image, ['sh', '-c', compile.command], {
      settings: {},
      confinement: compiledIn,
      writable: [compile.folder],
    }),
  )
  if (code !== 0) throw new Error(`It is not compiled (${code}): ${said}`)
  return image
}

/** Each file of the image, from its root on. */
export function filesIn({root}: Image): {path: string; bytes: number}[] {
  const app = join(root, APP)
  return readdirSync(app, {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile())
    .map(({parentPath, name}) => {
      const path = join(parentPath, name)
      return {path: path.slice(app.length + 1), bytes: statSync(path).size}
    })
}

/** How it is kept from writing anywhere but into its volume. */
export type Confinement = 'a root of its own, mounted read-only' | 'permissions'

/** The strictest first: root, who may mount, can give it a root of its own. */
export function confinements(): [Confinement, ...Confinement[]] {
  try {
    execFileSync('unshare', ['--mount', 'sh', '-c', 'mount --make-rprivate /'], {stdio: 'ignore'})
    return ['a root of its own, mounted read-only', 'permissions']
  } catch {
    return ['permissions']
  }
}

/** Mounts what the system below brings, and nothing of the repository; only what is named can be written to. */
const CHROOT = `
set -e
cd "$IMAGE_ROOT"
mount --make-rprivate /
mount --bind . .
cd "$IMAGE_ROOT"
mkdir -p usr etc proc dev usr/local
for folder in usr etc dev; do mount --rbind /$folder $folder; done
for link in bin lib lib64; do [ -e $link ] || ln -s usr/$link $link; done
mkdir -p node && mount --bind "$IMAGE_NODE" node
mount --rbind /proc proc
for folder in $IMAGE_WRITABLE; do mount --bind ".$folder" ".$folder"; done
mount -o remount,bind,ro .
exec chroot --userspec=${NOBODY_ID}:${NOBODY_ID} . sh -c 'cd /${APP} && exec "$@"' sh "$@"
`

/** Runs a command of the image as somebody who is not root, in a tree in which nothing can be written. */
export function runInImage(
  {root, recipe}: Image,
  [program = '', ...args]: readonly string[],
  {
    settings,
    confinement,
    writable = [recipe.volume],
  }: {
    settings: Readonly<Record<string, string>>
    confinement: Confinement
    writable?: readonly string[]
  },
) {
  const node = join(import.meta.dirname, '..', '..', 'node_modules', 'node', 'bin')
  const isRooted = confinement === 'a root of its own, mounted read-only'
  const environment = {...recipe.environment, ...settings}
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe']
  if (isRooted) {
    const own = {IMAGE_ROOT: root, IMAGE_NODE: node, IMAGE_WRITABLE: writable.join(' ')}
    const env = {...environment, ...own, PATH: '/node:/usr/bin:/usr/sbin:/bin:/sbin'}
    return spawn('unshare', ['--mount', 'sh', '-c', CHROOT, 'sh', program, ...args], {env, stdio})
  }
  const own = {
    DATABASE_URL: `sqlite:${join(root, recipe.volume, 'bosun.db')}`,
    NODE_COMPILE_CACHE: join(root, recipe.compile.folder),
  }
  return spawn(program, args, {
    cwd: join(root, APP),
    env: {...environment, ...own, PATH: `${node}:/usr/bin:/bin`},
    ...(process.getuid?.() === 0 && {uid: NOBODY_ID, gid: NOBODY_ID}),
    stdio,
  })
}

/** Nobody may write into it, until this is disposed: then it can be deleted. */
export function closeTree({root}: Image): Disposable {
  const app = join(root, APP)
  const all = readdirSync(app, {recursive: true, withFileTypes: true})
    .filter((entry) => !entry.isSymbolicLink())
    .map((entry) => ({path: join(entry.parentPath, entry.name), isFolder: entry.isDirectory()}))
  const folders = [app, ...all.flatMap(({path, isFolder}) => (isFolder ? [path] : []))]
  for (const {path, isFolder} of all) if (!isFolder) chmodSync(path, 0o444)
  for (const folder of folders) chmodSync(folder, 0o555)
  return {
    [Symbol.dispose]: () => {
      for (const folder of folders) chmodSync(folder, 0o755)
    },
  }
}

/** How a command of the image ended, and what it said. */
export async function endOf(
  child: ReturnType<typeof runInImage>,
): Promise<{code: number; said: string}> {
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  }
  const [code] = (await once(child, 'close')) as [number | null]
  return {code: code ?? -1, said}
}
