import {z} from 'zod'
import {isDirect} from '../../agents/who-may-know.ts'
import {dueDate, nextDueMs} from '../../inbox/digest-dates.ts'
import {MORNING} from '../../inbox/due-times.ts'
import {daysFrom, shownAt} from '../../inbox/zones.ts'
import {parseJson} from '../../security/foreign-json.ts'
import type {Form} from '../../slack/incoming/form.ts'
import type {Press} from '../../slack/incoming/press.ts'
import {ACTIONS, DIGEST_FORM} from '../../slack/ids.ts'
import {code, moment, oneLine} from '../../slack/markup/lines.ts'
import {context} from '../../slack/draw/blocks.ts'
import {texts} from '../../slack/texts.ts'
import {type Act, type ActResult, type Check, Refusal} from '../../slack/gate/act.ts'
import type {ActTools} from '../../slack/gate/tools.ts'
import type {DigestStore, Schedule} from '../../store/tables/channels/digests.ts'
import type {DigestReading} from './reading.ts'
import {readSchedule, scheduleText} from './schedule.ts'
import {digestTexts} from './texts.ts'
import {drawChannelDigest} from './views/digest.ts'
import {drawDigestForm} from './views/form.ts'
import {drawStanding} from './views/standing.ts'

interface DigestActsOptions extends ActTools<'forms' | 'nowMs' | 'people' | 'presence' | 'zoneOf'> {
  digests: DigestStore
  digestReading: DigestReading
  /** Who is told when has changed. */
  onDigests: () => void
}

/** `sinceMs`: when what was shown had been changed last; `null`: there was nothing. */
const metadataSchema = z.object({channel: z.string(), sinceMs: z.number().nullable()})

type At = {team: string} & z.infer<typeof metadataSchema>

const DAY_MS = 86_400_000
const MAX_CODE = 60
/** Of all that a calendar can have had at this instant, and of a week. */
const DAYS_BACK = 10

/** `/bosun digest`: whether a channel gets one and when, what it would say now, and how admins change that. */
export function createDigestActs(options: DigestActsOptions): Act[] {
  const {act, checks, digests, digestReading, forms, nowMs, people, presence, zoneOf} = options
  const {onDigests} = options

  /** When the next one comes, as everybody's own clock shows it. */
  const nextOf = async (team: string, channel: string, schedule: Schedule): Promise<string> => {
    const atMs = nowMs()
    const first = daysFrom(shownAt(atMs, schedule.zone).date, -DAYS_BACK)
    const over = (await digests.daysSince(team, first)).get(channel)
    return moment(nextDueMs(schedule, (date) => over?.has(date) === true, atMs))
  }

  const standing = async (
    {team, user}: {team: string; user: string},
    channel: string,
  ): Promise<ActResult> => {
    const [digest, refused, isAdmin] = await Promise.all([
      digests.of({team, target: channel}),
      digests.refused(team),
      people.seemsAdmin(user),
    ])
    const why = refused.find(({target}) => target === channel)?.code
    const line =
      digest &&
      digestTexts.standing.on(
        scheduleText(digest.schedule),
        await nextOf(team, channel, digest.schedule),
      )
    const message = drawStanding({
      line,
      refused: why === undefined ? undefined : code(oneLine(why, MAX_CODE)),
      mayChange: isAdmin ? 'yes' : 'no',
    })
    return {answer: message}
  }

  /** Of what has happened since the last one; where there is none, of a day. */
  const preview = async (team: string, channel: string): Promise<ActResult> => {
    const untilMs = nowMs()
    const digest = await digests.of({team, target: channel})
    const from = digest && (await digests.lastTold(digest, untilMs))
    const sinceMs = from?.untilMs ?? untilMs - DAY_MS
    const micros = from && (await digestReading.spent(channel, from, untilMs)).micros
    const content = await digestReading.channel(channel, {sinceMs, untilMs}, micros)
    const {text, blocks} = drawChannelDigest(content, sinceMs)
    const note = digestTexts.preview
    return {answer: {text: `${note}\n${text}`, blocks: [context(note), ...blocks]}}
  }

  const change = async ({
    team,
    channel,
    user,
    triggerId,
  }: Press): Promise<ActResult | undefined> => {
    if (channel === undefined) return {answer: {text: texts.notHere}}
    if (isDirect(channel)) return {answer: {text: digestTexts.direct}}
    const digest = await digests.of({team, target: channel})
    const schedule = digest?.schedule ?? {
      ...{every: 'workday', minute: MORNING, zone: await zoneOf(user)},
    }
    const metadata = {channel, sinceMs: digest?.changedAtMs ?? null}
    const viewId = await forms.open(triggerId, drawDigestForm(metadata, schedule, nowMs()))
    return viewId === undefined ? {answer: {text: texts.tooLateToOpen}, again: true} : undefined
  }

  const onForm: Check<Form, At> = {
    name: 'where the form was opened',
    look: async ({team, view}) => {
      const {data} = metadataSchema.safeParse(parseJson(view.metadata))
      if (data === undefined || isDirect(data.channel)) return new Refusal({text: texts.notHere})
      return {team, ...data}
    },
    standing: ({channel}) => ({channel}),
  }

  const save = async (form: Form, {team, channel, sinceMs}: At): Promise<ActResult> => {
    const schedule = readSchedule(form)
    if (schedule === undefined) return {answer: {text: digestTexts.form.choose}}
    if ((await presence(channel)) === 'outside') return {answer: {text: digestTexts.notIn}}
    const atMs = nowMs()
    const nothing = {untilMs: atMs, dayMicros: 0}
    const {dayMicros} = await digestReading.spent(channel, nothing, atMs)
    const isSaved = await digests.choose({team, target: channel}, schedule, {
      sinceMs: sinceMs ?? undefined,
      from: {untilMs: atMs, dayMicros},
      passed: dueDate(schedule, () => false, atMs),
    })
    if (!isSaved) return {answer: {text: digestTexts.stale}}
    onDigests()
    const next = await nextOf(team, channel, schedule)
    return {answer: {text: digestTexts.saved(scheduleText(schedule), next)}}
  }

  return [
    act('command', '/bosun digest', checks.member, async (asker) =>
      isDirect(asker.channel)
        ? {answer: {text: digestTexts.direct}}
        : standing(asker, asker.channel),
    ),
    act('press', ACTIONS.digestShow, checks.member, async ({team, channel}) =>
      channel === undefined ? {answer: {text: texts.notHere}} : preview(team, channel),
    ),
    act('press', ACTIONS.digestChange, checks.member, change),
    act('press', ACTIONS.digestOff, checks.member, async ({team, channel}) => {
      if (channel === undefined) return {answer: {text: texts.notHere}}
      const wasOn = await digests.end({team, target: channel})
      onDigests()
      return {answer: {text: wasOn ? digestTexts.isOff : digestTexts.wasOff}, inPlace: true}
    }),
    act('form', DIGEST_FORM, onForm, save),
  ]
}
