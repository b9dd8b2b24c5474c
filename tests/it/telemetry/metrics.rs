//! The histogram of durations, as an exporter is given it.

use std::time::Duration;

use dsh_tools::around::{Metrics, Timeout};
use dsh_tools::{CallOptions, Execution, ToolCall, ToolDefinition, ToolRegistry};
use fixtures::run;
use opentelemetry::metrics::MeterProvider;
use opentelemetry_sdk::metrics::data::{AggregatedMetrics, MetricData, ScopeMetrics};
use opentelemetry_sdk::metrics::{InMemoryMetricExporter, PeriodicReader, SdkMeterProvider};
use serde_json::{Value, json};
use tokio::time::sleep;

struct Meters {
    provider: SdkMeterProvider,
    exporter: InMemoryMetricExporter,
}

impl Meters {
    fn new() -> Self {
        let exporter = InMemoryMetricExporter::default();
        let reader = PeriodicReader::builder(exporter.clone()).build();
        Self { provider: SdkMeterProvider::builder().with_reader(reader).build(), exporter }
    }

    /// A tool that takes the milliseconds it is told, and fails after 300 of them.
    fn registry(&self) -> ToolRegistry {
        let parameters = json!({"type": "object", "properties": {"ms": {"type": "integer"}}});
        let waits =
            ToolDefinition::from_fn("waits", "Waits.", parameters, |arguments, _| async move {
                sleep(Duration::from_millis(arguments["ms"].as_u64().unwrap_or_default())).await;
                Ok(Value::Null)
            });
        let metrics = Metrics::new(&self.provider.meter("test"));
        ToolRegistry::builder()
            .tool(waits.with_timeout(Duration::from_millis(300)).with_grace(Duration::ZERO))
            .around("metrics", metrics)
            .around("timeout", Timeout)
            .guard("zero", |execution: &Execution| {
                Ok((execution.arguments()["ms"] == 0).then(|| "too short".to_owned()))
            })
            .build()
            .unwrap()
    }

    /// Name and unit of each instrument; attributes, count, sum and bucket counts of each series.
    fn exported(&self) -> (Vec<String>, Vec<String>) {
        self.provider.force_flush().unwrap();
        let (mut instruments, mut series) = (Vec::new(), Vec::new());
        let exported = self.exporter.get_finished_metrics().unwrap();
        let last = exported.last().unwrap();
        for metric in last.scope_metrics().flat_map(ScopeMetrics::metrics) {
            let (name, unit, about) = (metric.name(), metric.unit(), metric.description());
            instruments.push(format!("{name} [{unit}] {about}"));
            let AggregatedMetrics::F64(MetricData::Histogram(histogram)) = metric.data() else {
                panic!("{metric:?}");
            };
            for point in histogram.data_points() {
                assert_eq!(
                    point.bounds().collect::<Vec<_>>(),
                    [
                        0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48,
                        40.96, 81.92
                    ]
                );
                let mut attributes: Vec<_> =
                    point.attributes().map(|kv| format!("{}={}", kv.key, kv.value)).collect();
                attributes.sort();
                let (count, sum) = (point.count(), point.sum());
                series.push(format!("{} count={count} sum={sum}", attributes.join(" ")));
            }
        }
        series.sort();
        (instruments, series)
    }
}

fn waits(ms: u64) -> ToolCall {
    ToolCall::new("c1", "waits", json!({ "ms": ms }))
}

#[tokio::test(start_paused = true)]
async fn durations_are_one_histogram_with_the_names_of_the_conventions() {
    let meters = Meters::new();
    let registry = meters.registry();
    run(&registry, waits(100)).await;
    run(&registry, waits(150)).await;
    run(&registry, waits(900)).await;
    run(&registry, ToolCall::new("c1", "made_up", "{}")).await;
    registry.execute(waits(50), CallOptions::new()).await;
    // A denied call did not run, so there is nothing to time.
    run(&registry, waits(0)).await;
    let (instruments, series) = meters.exported();
    assert_eq!(
        instruments,
        ["gen_ai.execute_tool.duration [s] The duration of a single tool execution."]
    );
    let tool = "gen_ai.tool.name=waits gen_ai.tool.type=function";
    assert_eq!(
        series,
        [
            format!("error.type=TOOL_TIMEOUT gen_ai.agent.name=main {tool} count=1 sum=0.3"),
            "error.type=UNKNOWN_TOOL gen_ai.agent.name=main gen_ai.tool.name=_OTHER \
             gen_ai.tool.type=function count=1 sum=0"
                .to_owned(),
            format!("gen_ai.agent.name=main {tool} count=2 sum=0.25"),
            format!("{tool} count=1 sum=0.05"),
        ]
    );
}
