import type {Button, EntityActionButton, EntityMetadata} from '@slack/types'
import {plainName, pullRequestButtons} from '../../../slack/draw/pull-request.ts'
import {briefState} from '../../../slack/draw/pull-request-state.ts'
import {oneLine} from '../../../slack/markup/lines.ts'
import {escapeMrkdwn} from '../../../slack/markup/markup.ts'
import {threadText, workText} from '../../../slack/texts.ts'
import {NOBODY} from '../../../store/forget/blanking.ts'
import {aboutOf} from '../subject.ts'
import type {Sight} from '../sight.ts'
import {unfurlTexts} from '../texts.ts'
import {pullRequestKey} from '../../../store/tables/pull-requests/key.ts'
import {offersButtons, stopButtons, titleOf} from './unfurl.ts'

const MAX_TITLE = 140
const MAX_STATUS = 60
const SECOND_MS = 1000
/** Slack has room for so many beside each other. */
const MOST_ACTIONS = 2

/** The same as a work object: https://docs.slack.dev/messaging/work-objects-implementation */
export function drawEntity(sight: Sight, url: string): EntityMetadata {
  return sight.kind === 'work' ? ofWork(sight, url) : ofPullRequest(sight, url)
}

/** Where something must not be shown any more: what was said of it before is said no more. */
export function drawWithdrawnEntity(url: string, about: string): EntityMetadata {
  return {
    ...addressed(url, about),
    entity_type: 'slack#/entities/item',
    entity_payload: {attributes: attributes(unfurlTexts.withdrawn)},
  }
}

function ofWork(sight: Extract<Sight, {kind: 'work'}>, url: string): EntityMetadata {
  const {link, thread, stoppedBy} = sight
  const status = link === undefined ? threadText(thread, stoppedBy) : workText(link)
  const {startedBy = NOBODY, statusSinceMs, pullRequest} = link ?? {}
  return {
    ...addressed(url, aboutOf({kind: 'work', threadId: thread.id})),
    entity_type: 'slack#/entities/task',
    entity_payload: {
      attributes: {...attributes(titleOf(sight)), display_type: unfurlTexts.work},
      fields: {
        status: {value: escapeMrkdwn(oneLine(status, MAX_STATUS))},
        ...(startedBy === NOBODY
          ? {}
          : {created_by: {type: 'slack#/types/user', user: {user_id: startedBy}}}),
        ...(statusSinceMs === undefined
          ? {}
          : {date_updated: {value: Math.floor(statusSinceMs / SECOND_MS)}}),
      },
      ...(pullRequest === undefined ? {} : {custom_fields: [pullRequestField(pullRequest)]}),
      ...actions(stopButtons(link)),
    },
  }
}

function ofPullRequest(
  {address, link, state}: Extract<Sight, {kind: 'pull-request'}>,
  url: string,
): EntityMetadata {
  const status =
    state === undefined
      ? []
      : [
          {
            key: 'status',
            label: unfurlTexts.fields.status,
            type: 'string',
            value: briefState(state),
          },
        ]
  const title = state?.title || unfurlTexts.pullRequest(plainName(address))
  return {
    ...addressed(url, aboutOf({kind: 'pull-request', key: pullRequestKey(address) ?? address})),
    entity_type: 'slack#/entities/item',
    entity_payload: {
      attributes: {
        ...attributes(title),
        display_type: unfurlTexts.kind.pullRequest,
        display_id: plainName(address),
      },
      custom_fields: status,
      ...(offersButtons(link, address) ? actions(pullRequestButtons(link.id, address, state)) : {}),
    },
  }
}

function addressed(url: string, id: string) {
  return {app_unfurl_url: url, url, external_ref: {id}}
}

/** Titles come from outside: they call nobody, wherever Slack shows them. */
function attributes(title: string) {
  return {title: {text: escapeMrkdwn(oneLine(title, MAX_TITLE))}, product_name: unfurlTexts.product}
}

function pullRequestField(address: string) {
  const {pullRequest: label} = unfurlTexts.fields
  return {key: 'pull_request', label, type: 'slack#/types/link', value: address}
}

function actions(buttons: readonly Button[]): {actions?: {primary_actions: EntityActionButton[]}} {
  if (buttons.length === 0) return {}
  const primary = buttons
    .slice(0, MOST_ACTIONS)
    .map(({action_id: id = '', text, value, style}) => ({
      text: text.text,
      action_id: id,
      ...(value !== undefined && {value}),
      ...(style !== undefined && {style}),
    }))
  return {actions: {primary_actions: primary}}
}
