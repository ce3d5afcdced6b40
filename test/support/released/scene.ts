import {join} from 'node:path'
import {WebClient} from '@slack/web-api'
import {parse} from 'yaml'
import {readFileSync} from 'node:fs'
import {startPlatform} from '../../../local/platform/server.ts'
import {readManifest} from '../../../local/slack/apps/manifest.ts'
import {startLocalSlack} from '../../../local/slack/server.ts'
import {isPostgres} from '../../../src/store/is-postgres.ts'
import type {Place} from '../verdict.ts'
import {plant, readReleased} from './plant.ts'
import {SCENE} from './versions.ts'

/** Where the work is that an earlier version was killed over. */
export interface Scene {
  place: Place
  /** What that version had told half. */
  halfTs: string
  /** What somebody wrote there, and what somebody asked elsewhere, that it had not handled. */
  replyTs: string
  second: Place
}

const MANIFEST = join(import.meta.dirname, '..', '..', '..', 'manifest.yml')
/** Long enough that what Slack does not have by now it never got. */
const AGO_MS = 3_600_000
const {team, channel, user, atMs} = SCENE

/**
 * Puts the work that stops halfway in the databases of released versions into a Slack and on a platform, as that
 * version had brought it about: its card stands, of which only Slack knows, a reply is half told, and the agent is done.
 */
export async function plantScene(folder: string, name: string, database: string): Promise<Scene> {
  const sql = readReleased(name, isPostgres(database) ? 'postgres' : 'sqlite')
  const linkId = new RegExp(`links"? values \\('([^']+)', '${team}'`, 'i').exec(sql)?.[1] ?? ''
  const inSlack = await plantSlack(join(folder, 'slack.db'), linkId)
  const {scene} = inSlack
  const onPlatform = await plantPlatform(join(folder, 'platform.db'), scene.place)
  const changes: readonly (readonly [string, string])[] = [
    [SCENE.askTs.replace('.0001', '.0009'), scene.second.ts],
    [SCENE.askTs, scene.place.ts],
    [SCENE.askTs.replace('.0001', '.0002'), scene.halfTs],
    [SCENE.replyTs, scene.replyTs],
    [SCENE.threadId, onPlatform.threadId],
    [SCENE.projectId, onPlatform.projectId],
    ['U0BOSUN', inSlack.botUserId],
    [String(atMs), String(Date.now() - AGO_MS)],
  ]
  const change = (text: string): string =>
    changes.reduce((changed, [from, to]) => changed.replaceAll(from, to), text)
  await plant(name, database, change)
  return scene
}

async function plantSlack(
  dataFile: string,
  linkId: string,
): Promise<{scene: Scene; botUserId: string}> {
  const manifest = readManifest(parse(readFileSync(MANIFEST, 'utf8')))
  const slack = await startLocalSlack({dataFile, rateScale: 1000, ...manifest})
  try {
    const say = async (text: string, threadTs?: string): Promise<Place> => {
      const thread = threadTs === undefined ? {} : {threadTs}
      const {ts} = await slack.people.post({as: user, channel, text, ...thread})
      return {channel, ts}
    }
    const place = await say('@Bosun a quick look at the kite')
    const bot = new WebClient(slack.botToken, {slackApiUrl: slack.apiUrl})
    const post = async (key: string, text: string): Promise<string> => {
      const metadata = {event_type: 'bosun_post', event_payload: {link: linkId, key}}
      const at = {channel, thread_ts: place.ts}
      return (await bot.chat.postMessage({...at, text, metadata})).ts ?? ''
    }
    await post('card', '🔵 Working')
    const halfTs = await post('say:call_of-the-scene:0', 'Once there was')
    const {ts: replyTs} = await say('and a longer tail', place.ts)
    const second = await say('@Bosun a quick second task')
    return {scene: {place, halfTs, replyTs, second}, botUserId: slack.botUserId}
  } finally {
    await slack.close()
  }
}

async function plantPlatform(
  dataFile: string,
  {ts}: Place,
): Promise<{threadId: string; projectId: string}> {
  const platform = await startPlatform({dataFile, pace: 0.05})
  try {
    const projectId = platform.projectIds[0] ?? ''
    const response = await fetch(`${platform.originUrl}/api/v1/threads`, {
      method: 'POST',
      headers: {'content-type': 'application/json', authorization: `Bearer ${platform.keys.human}`},
      body: JSON.stringify({
        requestId: `slack:${team}:${channel}:${ts}`,
        projectId,
        message: 'a quick look at the kite',
      }),
    })
    if (!response.ok) throw new Error(`The platform answered ${response.status}`)
    const {id} = (await response.json()) as {id: string}
    return {threadId: id, projectId}
  } finally {
    await platform.close()
  }
}
