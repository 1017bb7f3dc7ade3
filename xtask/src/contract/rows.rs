//! The promises, in the order of the page.

use super::Section;

pub(super) const SECTIONS: &[Section] = &[
    Section {
        title: "Actions and decisions",
        rows: &[
            (
                "The flow control and the confidence of other formats are read: `stop_success`, 0–100, LOW to HIGH.",
                &["the_examples_of_the_reply_format_are_read"],
            ),
            (
                "The schema that a model receives is strict, small and cached.",
                &[
                    "the_schema_that_goes_out_is_strict_small_and_made_once",
                    "the_documented_schema_takes_what_the_reader_takes",
                ],
            ),
            (
                "The number of commands, required reasons, optional fields and strict replies are settings.",
                &["the_shape_of_replies_follows_the_settings"],
            ),
            (
                "Elements are named by ref, role and name, text, label, XPath or CSS.",
                &["all_target_syntaxes_resolve_and_mismatches_are_reported"],
            ),
            (
                "A claim of success after a failed action is rejected.",
                &["a_model_that_claims_success_after_its_action_failed_is_rejected"],
            ),
            (
                "An action with a high risk that cannot be undone is left to a person.",
                &["what_cannot_be_undone_is_left_to_a_human", "with_nobody_there_it_is_not_done"],
            ),
            (
                "Every action has one name. Decisions, workflow files and API requests also accept the names that other tools use for actions and parameters.",
                &[
                    "an_action_may_have_the_names_that_other_tools_use",
                    "an_action_of_another_tool_is_read_as_ours",
                    "aliases_of_other_tools_are_accepted",
                    "every_way_to_write_a_command_means_the_same",
                ],
            ),
            (
                "A decision with several commands is a list; the number of commands is limited.",
                &["every_way_to_write_a_command_means_the_same", "a_list_is_read_up_to_its_limit"],
            ),
            (
                "A list of commands stops at the first failure or change of the page.",
                &["a_list_of_commands_stops_where_the_page_changed"],
            ),
            (
                "PROCEED with a command continues the step. PROCEED without a command ends the step as done. RETRY needs a command. ABORT forbids one.",
                &[
                    "proceed_goes_on_with_a_command_and_is_done_without_one",
                    "retry_needs_a_command",
                    "abort_forbids_a_command",
                ],
            ),
            (
                "An invalid reply is refused with the field and the reason. A strict reader refuses what a lenient one leaves out.",
                &["each_problem_names_its_field", "a_strict_reader_refuses_what_a_lenient_one_leaves_out"],
            ),
            (
                "Hostile replies are refused: injected selectors, unknown fields, deep nesting.",
                &["hostile_replies_are_refused", "no_reply_makes_the_reader_panic", "a_reply_without_end_is_cut_off"],
            ),
            (
                "Reasoning can be required. Each reply states whether its commands can be executed.",
                &[
                    "reasoning_is_required_where_it_is_set_so",
                    "whether_its_commands_fit_the_executor_is_said_of_every_reply",
                ],
            ),
            (
                "Variables are replaced up to a depth of ten; unknown ones stay as they are, with a warning.",
                &["variables_are_filled_in_and_unknown_ones_stay", "a_variable_that_names_itself_ends_at_depth_ten"],
            ),
            (
                "Addresses other than http and https are refused, each with its reason.",
                &[
                    "addresses_that_are_no_pages_are_refused_each_with_its_reason",
                    "each_refused_scheme_has_its_message_whatever_the_rules",
                ],
            ),
            (
                "A file is uploaded only from a folder that the run may read.",
                &["uploads_outside_the_allowed_folders_are_refused"],
            ),
            (
                "Several actions in a row are executed on the elements of the page as it is then.",
                &[
                    "each_clause_is_decided_on_the_page_of_its_moment",
                    "a_stale_ref_is_resolved_again_on_the_current_page",
                ],
            ),
        ],
    },
    Section {
        title: "Statuses",
        rows: &[
            (
                "While a run is paused or waits for an answer, a person can operate its browser; the journal states that, and not what was typed.",
                &[
                    "a_person_operates_the_browser_of_a_run_that_waits",
                    "a_run_at_work_accepts_no_input_of_a_person",
                    "a person enters a code in the browser of a run that asks for it",
                ],
            ),
            (
                "A session has a state from INITIALIZING to CLEANUP, which the API reports.",
                &[
                    "only_legal_changes_of_a_session_are_written",
                    "a_session_reports_its_state_and_a_cancelled_run_stays_cancelled",
                ],
            ),
            (
                "Only legal changes of a session's state can be written to the log.",
                &[
                    "only_legal_changes_of_a_session_are_written",
                    "an_ended_session_becomes_active_only_by_a_resume_and_never_after_a_success",
                ],
            ),
            ("A step ends once, and not before it began.", &["an_end_is_an_end_and_nothing_ends_before_it_begins"]),
            (
                "Every command that started has an end event, also if its run was cancelled.",
                &["parking_records_a_result_for_every_intent", "a_cancelled_extraction_records_a_result"],
            ),
            (
                "A cancelled run is continued only if somebody requests it.",
                &[
                    "a_session_reports_its_state_and_a_cancelled_run_stays_cancelled",
                    "a_restart_keeps_a_queued_resume_with_its_options",
                ],
            ),
            (
                "A cancelled run is shown neutrally, not as an error.",
                &["an error appears once, next to its step; a run that somebody stopped shows none"],
            ),
            (
                "Pausing withholds the next action; nothing happens until the run is resumed.",
                &["a_paused_run_executes_nothing_until_it_is_resumed", "pause holds a run, resume lets it go on"],
            ),
            (
                "The phase of the loop can be read at any time and is an event.",
                &[
                    "the_phases_of_plain_turns",
                    "the_phases_of_a_reflected_turn",
                    "the_phases_of_a_planned_task_and_of_a_rejected_one",
                ],
            ),
        ],
    },
    Section {
        title: "Events",
        rows: &[
            (
                "Events of a run are numbered without gaps and come back as they were stored.",
                &[
                    "appended_events_are_numbered_and_read_back_unchanged",
                    "racing_appenders_leave_one_numbered_log",
                    "kill_9_leaves_what_was_confirmed_without_gaps",
                ],
            ),
            (
                "Many viewers see the same events, from any number on.",
                &[
                    "events_of_a_run_are_streamed_in_order_to_every_viewer",
                    "fifty_viewers_see_every_event_in_order",
                    "a_slow_viewer_receives_a_lag_notice_and_every_event",
                    "two viewers side by side see the same, and one steers for both",
                ],
            ),
            (
                "Progress contains the mean duration of a step and the remaining time.",
                &["progress_contains_the_mean_duration_and_the_remaining_time"],
            ),
            (
                "People see fatal errors. Errors that the run overcame, and the first two failed validations, are hidden.",
                &[
                    "fatal_errors_are_shown_and_what_the_run_got_over_is_not",
                    "failed_validations_are_hidden_below_the_third",
                ],
            ),
            (
                "Totals equal what the events add up to.",
                &[
                    "totals_equal_what_the_events_add_up_to",
                    "the_figures_equal_what_the_events_add_up_to",
                    "the_stored_summary_equals_the_fold_of_the_events",
                ],
            ),
            (
                "A run that waits for an answer says so wherever it is listed.",
                &[
                    "a_run_waits_for_an_answer_while_its_question_is_open",
                    "a run that asks waits for an answer, and says so",
                    "a question that nobody answered in time is answered later, without other offers",
                ],
            ),
        ],
    },
    Section {
        title: "Memory, context and prompts",
        rows: &[
            (
                "An investigation has three phases and ends with one actionable element or none.",
                &[
                    "a_full_investigation_in_order",
                    "exactly_one_actionable_element_or_none",
                    "a_confident_model_pays_nothing",
                ],
            ),
            (
                "The tool that helped on a site before is used first.",
                &["a_tool_that_told_something_on_the_site_before_is_used_first"],
            ),
            (
                "A later run is told what an earlier one learned about the site.",
                &["the_second_run_is_told_what_the_first_one_learned"],
            ),
            (
                "A long page is extracted in parts, and each value has its source.",
                &["a_long_page_is_asked_about_part_by_part", "a_list_over_two_pages_with_a_source_for_each_value"],
            ),
            (
                "The review of an answer is based on what code observed.",
                &["the_judge_sees_what_code_saw_and_cannot_be_told_by_the_answer"],
            ),
            (
                "A later step is shown what an earlier one found.",
                &["what_the_first_step_found_is_in_the_seconds_prompt", "what_one_step_found_out_is_shown_to_the_next"],
            ),
            (
                "Damaged memory becomes empty, with a warning.",
                &[
                    "memory_that_cannot_be_had_is_empty_with_a_warning",
                    "a_journal_whose_memory_is_broken_goes_on_with_an_empty_one",
                ],
            ),
            (
                "A prompt stays within its number of tokens, whatever the page and however long the task.",
                &[
                    "a_prompt_keeps_its_budget_whatever_the_page",
                    "three_hundred_turns_and_no_prompt_beyond_the_budget",
                    "rendering_stays_within_the_token_budget_and_reports_omissions",
                ],
            ),
            ("A history is shortened in three levels of detail.", &["a_long_history_in_each_detail"]),
            (
                "Texts of a page are marked as untrusted and cannot leave their fence.",
                &["a_page_cannot_leave_its_fence", "what_a_page_said_is_quoted_even_as_a_variable"],
            ),
            (
                "A task has a plan, and its answer is judged up to three times.",
                &[
                    "a_task_is_planned_done_and_its_answer_validated",
                    "the_third_failed_answer_is_rejected",
                    "a_partial_answer_goes_back_with_what_is_missing",
                ],
            ),
            (
                "A success is validated, unvalidated or rejected, and these look different.",
                &[
                    "validated_unvalidated_rejected_and_contradicted_differ_in_tone_sign_and_words",
                    "a run's verdict and its steps': validated, unvalidated, rejected",
                    "the list of runs tells the verdicts apart",
                ],
            ),
            (
                "A doubtful action and repeated failures are reconsidered.",
                &["a_doubtful_change_is_thought_over_before_it_is_done", "the_second_failure_in_a_row_is_thought_over"],
            ),
            (
                "A loop is warned of and then stopped, cycles included.",
                &["a_loop_is_warned_of_once_and_then_stopped", "cycles_of_up_to_four_are_loops_too"],
            ),
            (
                "Each limit ends a run with a reason of its own.",
                &[
                    "every_cap_has_its_own_exit",
                    "every_cap_ends_a_run_with_its_own_reason",
                    "failures_are_too_many_from_the_fifth_in_a_row_and_the_fifteenth_in_all",
                ],
            ),
            (
                "Each part that fails has a fallback.",
                &[
                    "investigation_cycle_to_plain_act",
                    "tool_to_the_next_tool",
                    "memory_to_an_empty_one",
                    "filtered_context_to_the_traditional_one",
                    "discovery_to_the_selectors_that_were_given",
                    "time_out_to_partial_results",
                    "progressive_context_to_the_static_one",
                    "a_model_that_is_down_to_a_clean_failure",
                ],
            ),
        ],
    },
    Section {
        title: "Errors and time limits",
        rows: &[
            (
                "A log line has the session, the step and the phase; actions, model calls, retries and recoveries have one.",
                &[
                    "a_run_is_logged_at_the_level_of_the_settings",
                    "an_action_has_a_line_with_its_time_and_a_failure_is_a_warning",
                ],
            ),
            (
                "Options of a run that cannot be read are an error, not their defaults.",
                &["options_of_a_run_that_cannot_be_read_are_an_error", "a_resumed_run_keeps_what_it_began_with"],
            ),
            (
                "A model that fails is replaced by the next one of its chain; each call is accounted for.",
                &["a_model_that_fails_is_stood_in_for_and_each_is_accounted_for"],
            ),
            ("Every error code is produced by a program and asserted by a test.", &["every_code_is_reached"]),
            (
                "An error has one shape in the API, in events and in the terminal, with its time.",
                &[
                    "errors_use_the_error_report",
                    "what_keeps_a_command_from_beginning_is_json_where_json_was_asked_for",
                ],
            ),
            (
                "A message in the terminal names the code of its error.",
                &["every_wrong_setting_is_listed", "an_empty_store_says_how_to_fill_it"],
            ),
            (
                "A failed reflection and an unmet expectation have different codes.",
                &["without_a_usable_reflection_it_is_done_as_decided", "an_unmet_expectation_rejects_the_step"],
            ),
            (
                "Time limits are ordered, positive, and retries fit into a step; every problem is listed at the start.",
                &[
                    "timeouts_must_be_in_order_and_retries_must_fit_into_a_step",
                    "the_defaults_are_those_of_the_contract",
                ],
            ),
            (
                "A request to a model is repeated with growing delays; Retry-After is respected.",
                &[
                    "three_times_from_a_second_doubling_with_jitter",
                    "a_rate_limited_call_waits_for_retry_after_and_succeeds",
                    "permanent_errors_are_not_retried",
                ],
            ),
            (
                "Keys and secrets are in no output.",
                &[
                    "the_value_of_a_secret_is_in_no_file_and_no_output",
                    "keys_come_from_the_environment_and_are_never_printed",
                    "no_credential_is_logged",
                ],
            ),
        ],
    },
    Section {
        title: "Server",
        rows: &[
            ("A run cannot open the address of its own server.", &["a_run_cannot_open_the_address_of_its_own_server"]),
            (
                "A run is started at once, validated before, listed, paused, resumed, cancelled, answered and exported.",
                &[
                    "a_template_run_has_screenshots_artifacts_and_exports",
                    "an_answer_continues_the_run",
                    "cancelling_aborts_the_model_call_and_ends_the_run",
                    "a_draft_is_answered_with_its_inputs_and_the_nearest_sentences",
                ],
            ),
            (
                "Runs beyond the limit wait in a queue, which survives a restart.",
                &[
                    "runs_over_the_limit_are_queued_and_refused_when_the_queue_is_full",
                    "a_restart_keeps_the_queue_and_interrupted_runs_can_be_resumed",
                ],
            ),
            (
                "A newer run replaces the one with the same page.",
                &["a_new_run_replaces_the_run_with_the_same_page_key"],
            ),
            (
                "A WebSocket replays from a number, filters and answers a ping.",
                &["a_websocket_needs_the_pages_origin_replays_and_answers"],
            ),
            (
                "Every route requires its scope, and no route answers to a wrong host or origin.",
                &[
                    "every_route_requires_its_scope_and_names_it_when_it_is_missing",
                    "no_route_answers_to_a_wrong_host_or_origin",
                ],
            ),
            (
                "Too many requests are refused, per server and per token.",
                &["too_many_requests_are_told_to_wait", "a_token_that_asks_too_often_delays_no_other"],
            ),
            (
                "Changes and refusals are in the audit log, without secrets.",
                &["what_changes_something_or_is_refused_is_in_the_audit_log_and_no_secret_is"],
            ),
            (
                "A schedule starts its runs and counts what it missed.",
                &[
                    "a_schedule_begins_runs_and_its_webhook_is_signed",
                    "start_times_that_passed_while_the_machine_slept_start_one_run",
                    "what_came_due_while_no_server_ran_is_told_and_not_made_up_for",
                ],
            ),
            (
                "Alerts report a failure and the recovery after it; an alert that was not delivered is shown.",
                &[
                    "a_failure_and_the_recovery_after_it_are_reported_to_a_chat_and_by_mail",
                    "what_is_not_accepted_is_repeated_then_shown_and_a_later_success_removes_it",
                    "the_next_server_sends_what_a_stop_interrupted",
                    "a test message says for each address of a schedule whether it arrived",
                ],
            ),
        ],
    },
    Section {
        title: "Web page and side panel",
        rows: &[
            (
                "A conversation shows plan, actions and answer; each tab has its own.",
                &[
                    "the conversation of a tab survives the panel, and each tab has its own",
                    "steps are carried out in the user's own tab, with its cookies, and the tab stays open",
                ],
            ),
            (
                "A border marks the tab while a run works, through navigations, and is gone afterwards.",
                &["the border stays through navigations, and is gone within a second after a stop"],
            ),
            (
                "Only the server that a browser is paired with gets its token and controls its tabs.",
                &[
                    "a program that listens at the address of Legwork gets neither the token nor the tab",
                    "the_server_proves_that_it_knows_the_token_of_a_panel_and_of_no_other",
                ],
            ),
            (
                "A tab is always freed; until then, its state says what holds it.",
                &["a tab that a frame of another extension holds says so, and is free when the frame is gone"],
            ),
            (
                "No key of a model is in the browser.",
                &[
                    "the model is set in the panel if the pairing permits it, and no key is in the browser",
                    "the key of a model is stored and replaced on the settings screen, and never shown",
                ],
            ),
            (
                "Texts of pages and models are shown as text.",
                &[
                    "hostile pages and hostile replies are words and nothing else",
                    "the_page_is_served_with_a_policy_that_runs_nothing_inline",
                ],
            ),
            (
                "The keyboard alone starts a run and finds its way.",
                &["the keyboard alone starts a run and finds its way"],
            ),
        ],
    },
    Section {
        title: "Durability and isolation",
        rows: &[
            (
                "A log of another format or of another program is refused.",
                &["another_format_and_a_foreign_database_are_refused"],
            ),
            ("A replay repeats only what worked.", &["only_what_worked_is_done_again"]),
            (
                "A kill loses no confirmed event and repeats no change.",
                &[
                    "fifty_kills_lose_no_post_and_repeat_none",
                    "a_batch_that_is_killed_does_each_row_once",
                    "a_mutating_action_is_not_repeated_but_parks",
                ],
            ),
            (
                "A secret is typed only into the site to which it is bound.",
                &[
                    "a_secret_is_typed_into_its_origin_and_nowhere_else",
                    "a_secret_is_typed_into_its_own_site_and_masked_wherever_it_shows",
                    "a secret is not typed into a frame of another site",
                ],
            ),
            (
                "Clients have pages and cookies of their own.",
                &[
                    "each_client_and_each_of_its_sessions_has_cookies_and_tabs_of_its_own",
                    "two_clients_of_one_name_and_version_are_two_clients_over_http",
                ],
            ),
            ("A page reaches no place that the rules refuse.", &["a_page_reaches_no_other_place_than_the_rules_allow"]),
        ],
    },
];
