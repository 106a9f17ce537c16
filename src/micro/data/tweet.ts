import { type Stream } from '../../core/random.ts'
import { compactJson, type JsonText, quoted } from './json-text.ts'
import { randomDigits, randomText } from './random-text.ts'

/** `tweet.json`, 1622 bytes: a message with its author and what it mentions, as the first public interface of Twitter gave them. */
export function tweetText(stream: Stream): string {
  const text = (length: number): JsonText => quoted(randomText(stream, length))
  const number = (digits: number): JsonText => randomDigits(stream, digits)
  return compactJson({
    text: text(132),
    in_reply_to_status_id: 'null',
    retweet_count: 'null',
    contributors: 'null',
    created_at: text(30),
    geo: 'null',
    source: text(36),
    coordinates: 'null',
    in_reply_to_screen_name: 'null',
    truncated: 'false',
    entities: {
      user_mentions: `[${compactJson({ indices: '[3,19]', screen_name: text(15), id: number(8), name: text(14) })}]`,
      urls: '[]',
      hashtags: '[]',
    },
    retweeted: 'false',
    place: 'null',
    user: user(text, number),
    favorited: 'false',
    in_reply_to_user_id: 'null',
    id: number(15),
  })
}

function user(text: (length: number) => JsonText, number: (digits: number) => JsonText): JsonText {
  return {
    friends_count: number(3),
    profile_sidebar_fill_color: text(6),
    location: text(19),
    verified: 'false',
    follow_request_sent: 'null',
    favourites_count: number(2),
    profile_sidebar_border_color: text(6),
    profile_image_url: text(70),
    geo_enabled: 'false',
    created_at: text(30),
    description: text(40),
    time_zone: text(12),
    url: 'null',
    screen_name: text(12),
    notifications: 'null',
    profile_background_color: text(6),
    listed_count: number(1),
    lang: text(2),
    profile_background_image_url: text(60),
    statuses_count: number(4),
    following: 'null',
    profile_text_color: text(6),
    protected: 'false',
    show_all_inline_media: 'false',
    profile_background_tile: 'false',
    name: text(16),
    contributors_enabled: 'false',
    profile_link_color: text(6),
    followers_count: number(3),
    profile_use_background_image: 'true',
    id: number(9),
    utc_offset: number(5),
  }
}
