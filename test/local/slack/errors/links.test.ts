import type {LocalSlackOptions} from '../../../../local/slack/options.ts'
import {eventually} from '../eventually.ts'
import {connectApp} from '../slack-fixture.ts'
import {nobody, refuses, web, type Place} from './refuses.ts'

const options: LocalSlackOptions = {unfurlDomains: ['app.example.com']}
const url = 'https://app.example.com/t/1'
const blocks = [{type: 'section', text: {type: 'mrkdwn', text: 'Work'}}]
const unfurls = {[url]: {blocks}}
const entity = {
  app_unfurl_url: url,
  url,
  external_ref: {id: '1'},
  entity_type: 'slack#/entities/task',
  entity_payload: {attributes: {title: {text: 'Work'}}},
}

/** Jane has posted the link. */
const posted = (args: object) => async (at: Place) => {
  const {ts} = await at.people.post({as: 'U0JANE', ...web, text: `Look: ${url}.`})
  return {...web, ts, unfurls, ...args}
}
const opened = (args: object) => async (at: Place) => {
  const call = await posted({metadata: {entities: [entity]}})(at)
  await at.client.apiCall('chat.unfurl', call)
  const {heard} = await connectApp(at.slack)
  await at.people.openDetails({as: 'U0KIM', ...web, ts: call.ts, url})
  const [told] = await eventually(
    () => heard.filter(({event}) => event.type === 'entity_details_requested'),
    (all) => all.length === 1,
  )
  return {trigger_id: told?.event['trigger_id'], metadata: entity, ...args}
}

refuses(
  {
    'chat.unfurl: cannot_find_channel': {channel: 'C0NOBODY', ts: nobody, unfurls},
    'chat.unfurl: cannot_find_message': {...web, ts: nobody, unfurls},
    'chat.unfurl: cannot_parse_attachment': posted({unfurls: {[url]: {blocks: [{type: 'x'}]}}}),
    'chat.unfurl: cannot_unfurl_message': posted({
      unfurls: {'https://app.example.com/t/2': {blocks}},
    }),
    'chat.unfurl: cannot_unfurl_url': posted({unfurls: {'https://elsewhere.test/': {blocks}}}),
    'chat.unfurl: invalid_metadata_format': posted({
      metadata: {entities: [{...entity, external_ref: {}}]},
    }),
    'chat.unfurl: invalid_source': {unfurl_id: 'x', source: 'somewhere', unfurls},
    'chat.unfurl: invalid_unfurl_id': {unfurl_id: 'x', source: 'composer', unfurls},
    'chat.unfurl: invalid_unfurls_format': posted({unfurls: []}),
    'chat.unfurl: missing_channel': {ts: nobody, unfurls},
    'chat.unfurl: missing_source': {unfurl_id: 'x', unfurls},
    'chat.unfurl: missing_ts': {...web, unfurls},
    'chat.unfurl: missing_unfurl_id': {source: 'composer', unfurls},
    'chat.unfurl: missing_unfurls': posted({unfurls: undefined}),
    'entity.presentDetails: entity_metadata_does_not_match_trigger': opened({
      metadata: {...entity, external_ref: {id: '2'}},
    }),
    'entity.presentDetails: feature_not_enabled': async ({people}) => {
      await people.setRules({workObjects: 'none'})
      return {trigger_id: 'x', metadata: entity}
    },
    'entity.presentDetails: invalid_arguments': {metadata: entity},
    'entity.presentDetails: invalid_metadata': opened({metadata: {}}),
    'entity.presentDetails: invalid_trigger_id': {trigger_id: 'x', metadata: entity},
    'entity.presentDetails: user_auth_url_missing': {trigger_id: 'x', user_auth_required: true},
  },
  options,
)
